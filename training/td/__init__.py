"""Temporal-difference learning of value networks by self-play: ``endeavor train td``.

Before the first iteration the network learns from games of ``greedy`` with 32 sets of weights. Each iteration is then

1. **Games.** The network as it is takes most seats. The others go to its earlier selves and to ``greedy``, in the
   proportions of ``opponents``. Recorded are the position when a turn of the newest network has ended, and the value of
   the best turn it had. Now and then a move is random (``epsilon``), and values get a little noise (``temperature``),
   so that games differ.
2. **Targets.** For each seat, over its own successive positions, TD(lambda): the target of a position mixes the value
   of the best next turn with the target of the next position, and the last one is the outcome of the game. Where the
   next turn was random, the target is the value alone.
3. **Gradient steps** (Adam, squared error) on positions drawn from the newest few hundred thousand. With ``average``
   above 0, the final network is the mean of the networks after that share of the iterations (30 % in ``quick``); with
   ``plays_average`` this mean also plays the games.

Seats named ``searching`` in ``opponents`` are played by a search with the network as it is (``simulations``); the
positions after all turns that it looked at are recorded with the values of the search as targets.
"""
