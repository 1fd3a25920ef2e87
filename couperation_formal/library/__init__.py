"""The public functions: what one returns the next one takes, words are looked at before anything is asked."""
