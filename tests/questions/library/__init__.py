"""The public functions as those who program use them."""
