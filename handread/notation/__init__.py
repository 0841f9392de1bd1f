"""Hand records between text and history; judges no legality."""
