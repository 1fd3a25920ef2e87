"""Formulas over what is not known: circuits of Boolean variables, and values that differ from case to case."""
