"""The tower's orders as a Z3 model with every constraint tracked by its clause; the only package that imports Z3."""
