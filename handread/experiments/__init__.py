"""The experiments of Saund 2006, section VI: sums over simulated games, tables of their means."""
