"""A tournament of all readers as players."""
