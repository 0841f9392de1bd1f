"""BPP, the Bayesian poker program of Korb, Nicholson and Jitnah (1999)."""
