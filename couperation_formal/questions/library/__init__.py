"""The public functions of the package, which take what others return."""
