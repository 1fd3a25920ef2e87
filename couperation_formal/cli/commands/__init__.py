"""The commands of the command line, a module each: `command`, a function of a `Run` and its own options."""
