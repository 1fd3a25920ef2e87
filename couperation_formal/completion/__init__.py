"""Is this tower still completable: the exact answer at the tower level, its reason, its repair."""
