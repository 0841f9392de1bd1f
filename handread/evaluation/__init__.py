"""How good a read was: scores against the true downcards, with what they can and cannot tell."""
