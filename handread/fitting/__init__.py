"""Policies learned from observed hands: downcards that nobody saw are missing data."""
