"""Reports as data, and one module for each form that they are put out in."""
