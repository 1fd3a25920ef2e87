"""The language in which `spec/` says the rules: read, typed, compiled, explained; the specification as a judge."""
