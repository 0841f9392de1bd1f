"""What is known of players over many hands, from how they bet and what they showed.

``statistics`` lists the statistics of stud, as data. ``counts`` counts them in a hand, ``shares``
compares a share with those of the population. All of this needs the replay of a hand, no read.
"""
