"""Cloning: a policy network that learns to make the choices of a stronger player (``endeavor train clone``).

The player, its *teacher*, plays the base game at 3, 4 and 5 seats, or the solitaire game at every difficulty. Every
decision with more than one legal action is recorded with what the teacher does. The network of MaskablePPO is fitted to
these choices (cross entropy over the legal actions), and its value to how the games ended for the seat, in the quantity
that PPO goes on with: the share of the win plus 0.02 for each Glory of lead, up to 30.

A clone makes mistakes and gets into positions that its teacher avoids. So 2 % of the moves are random, and from the
second portion of games on the clone so far plays a quarter of the seats. What is recorded is still what the teacher
would do there.

The curves of a run are ``clone/agreement``, ``clone/surprise`` and ``clone/value_error``.
"""
