"""How good readers, figures and values are: the comparisons that the documentation shows."""
