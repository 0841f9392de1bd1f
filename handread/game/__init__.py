"""The rules of stud and the replay of a hand by them."""
