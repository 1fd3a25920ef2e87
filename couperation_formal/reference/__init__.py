"""The specification as a judge: records and tables as values of its formulas, and what the formulas say of them."""
