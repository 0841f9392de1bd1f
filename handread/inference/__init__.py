"""The observer: beliefs about downcards, street by street."""
