"""Loki: weights updated by hand strength and potential (Billings et al. 1998)."""
