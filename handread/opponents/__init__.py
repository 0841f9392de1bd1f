"""What is known of players over many hands, from how they bet and what they showed.

``statistics`` lists the statistics of stud, as data. ``counts`` counts them in a hand, ``records``
adds hands up by player, ``shares`` compares a player with the population. Only the replay of a hand
is needed: no downcards are inferred.
"""
