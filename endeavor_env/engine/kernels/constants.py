"""Numbers that the rails and the games agree on."""

from __future__ import annotations

NONE = -1
"""No seat, no action, nothing; as the seat to move: the game is over."""
CHANCE = -2
"""As the seat to move: what follows is drawn (``rules.draw_chance``)."""
MAX_SEATS = 5
"""Most mats with a score: the seats, and an opponent that has none."""
MAX_OPTIONS = 8
"""Most options of the rules of a game."""
MAX_WORDS = 32
"""Most words of a mask: a game has at most 2,048 action ids."""
