"""Inputs that no room ever wrote, in numbers: whatever the bytes, hands or problems.

``python -m tests.fuzz --n 200000 --seed 1`` makes inputs out of the sample histories, and out of
real logs where ``--real PATH`` names a folder of them, and reads, replays and prints what is in
them. ``python -m tests.fuzz.coverage_guided -runs=100000`` lets atheris look for inputs that take
new ways through the reader.
"""
