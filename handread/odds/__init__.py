"""Hand types, their probabilities for every holding, and the chance to win."""
