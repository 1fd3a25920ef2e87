"""The command line: files, options, what a command prints and its exit code."""
