"""From a record to its states and what it breaks."""
