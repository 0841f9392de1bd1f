"""Evaluation, the experiments of Saund 2006, and fitted policies."""
