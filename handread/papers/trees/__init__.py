"""The relational decision trees of Ponsen et al. 2008: how fast they learn a player."""
