"""The command line: arguments, exit codes, and one module for each command."""
