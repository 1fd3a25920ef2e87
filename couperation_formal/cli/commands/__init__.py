"""The commands of the command line, by what they are about: each a function of a `Run` and its own options."""
