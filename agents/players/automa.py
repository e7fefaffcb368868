"""The automa: plays by the priority list of the solitaire game's Opposition, in any seat of any variant.

Of all that it could do now, with any of its buildings and blue tokens, it does what comes first in this list. Letters
and clauses are those of the Opposition (S4, S5): the same kernels run with a seat as side and mat. What those clauses
leave open stands in brackets.

a. Occupy a city that completes a connection: T1 most blue tokens, T2 the token of its least advanced status.
b. Occupy any city, one of 2 Glory if there is one; the same ties.
c. Sail to complete a track whose Governor it then gets: S5.2 (and a blue token whenever there is one; then the fewest
   free spaces).
d. i, ii: Sail to a track of which it has space 1, else 2, ... if at least one space stays free; the same ties.
   iii: Sail to an open region with a free city (if it is not present there; fewest free spaces).
e. Draw where it has most discs (S5.3).
f. (Sail to any other track of which at least one space stays free: the Opposition has discs everywhere from the start;
   S5.2 as in c.)
g. (Attack: greatest swing, S5.5; neutral sides lose nothing by it.)
h. (Pay: what Salary would free first; never a building that pays itself.)
i. (The Sails of d and f for tokens that bring nothing, S4.3; S5.2.)
j. (Pass.)

It never draws a card that brings nothing, because unlike the Opposition it may pass. The order of the board file
settles what is still open.

- Source: it uses a blue token before a building, and of several buildings the first in the board file. The second part
  of a combined action follows the same list.
- Build: in ``solo`` it first looks for the fewest extra actions of the Opposition (S2.2). In the last round it takes
  the most Glory. Otherwise, while it has no more action buildings than payments, it takes the one with the most actions
  among Occupy, Sail and Draw that it does not have yet; after that one whose icons advance a marker.
- Salary: it frees the building whose action comes first in the order Occupy, Sail, Draw, Attack, Pay.
- Cards: it draws above its limit like the Opposition. It discards the cards that cost the least Glory, then those with
  the fewest icons. It declines optional discards.
- Neutral discs: in ``soloplay_2`` and ``soloplay_3`` one goes for the token it wants most, and to a track rather than a
  city; in ``neutral_2`` it takes the token it wants least, and gives away the cities that bring it least.
- ``solo``: it makes the choices for the Opposition by the first option, as ``opposition_ties=first`` does.

The kernels are in ``endeavor.players.automa.player``.
"""

from __future__ import annotations

from endeavor_env.agents.players.compiled import CompiledAgent
from endeavor_env.engine.game import only_reads


@only_reads
class AutomaAgent(CompiledAgent):
    """Plays by the Opposition's list; there is no chance in its play, so equal positions get equal moves."""

    def __init__(self, name: str = "automa") -> None:
        """Make an agent; the first on a machine compiles its kernels."""
        super().__init__("automa", name)
