"""The observer and the analysis of hands: beliefs about downcards, street by street."""
