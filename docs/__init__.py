"""The documentation, and the program that makes a site of it."""
