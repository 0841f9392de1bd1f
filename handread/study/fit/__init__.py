"""Fit policies to observed hands; unseen downcards are missing data."""
