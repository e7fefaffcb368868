"""The rules at hand: what a thing does and why a move is not possible, each in a sentence with its clause.

Of an ability of an Exploit they say whether its tile is in play, active and has a shield, and no more.
"""

from __future__ import annotations

from endeavor_env.endeavor.explain.reasons import why_not, why_not_here
from endeavor_env.endeavor.explain.things import Sentence, about

__all__ = ["Sentence", "about", "why_not", "why_not_here"]
