"""The experiments of Saund 2006, whose observer is the core of handread."""
