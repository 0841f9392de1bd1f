"""Knowledge of players over many hands, from their betting and their shown hands.

``statistics`` lists the statistics of stud, as data; ``counts`` counts them in a hand, ``records``
adds hands up by player, ``shares`` compares a player with the population. They need only the replay
of a hand: no downcards are inferred.
"""
