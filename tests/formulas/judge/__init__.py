"""References that only tests and benchmarks use: slow and plain, or made with another solver. No tests stand here."""
