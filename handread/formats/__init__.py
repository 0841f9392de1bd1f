"""Hand histories as text and as columns: readers and writers, which judge no legality."""
