"""Questions about towers and tables: can they still be completed, what is possible, when were they dead."""
