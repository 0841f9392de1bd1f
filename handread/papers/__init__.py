"""A wing for the papers: one folder for each, which the rest of the package does not need."""
