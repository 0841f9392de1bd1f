"""The hands of the benchmark, and the program that makes them."""
