"""The formula language of the specification: its grammar, its types, its meaning, and the pages that hold formulas."""
