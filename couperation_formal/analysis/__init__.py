"""The jobs on whole records: verify them, look at their states."""
