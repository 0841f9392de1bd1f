"""Sessions of hands: they are read once, and all that shows them takes them from here."""
