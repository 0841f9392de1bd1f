"""Readers other than the observer of Saund."""
