"""A second, naive implementation of the rules, from which nothing of the package is used; the tests compare the two."""
