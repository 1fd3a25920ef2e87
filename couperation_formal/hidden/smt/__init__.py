"""Questions to Z3, imported only here: the orders of a tower, each constraint tracked by its clause, and circuits."""
