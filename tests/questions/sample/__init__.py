"""Games made by the package: legal throughout, the same every time, and hidden as a recorder at the table sees them."""
