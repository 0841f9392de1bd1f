"""Bet policies that ship with handread, as data."""
