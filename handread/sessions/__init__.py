"""Sessions of hands: the hands are read here once, for all lists, pages and totals."""
