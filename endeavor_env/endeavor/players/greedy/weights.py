"""The weights of the greedy player, and their text in its name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from endeavor_env.engine import players

# --- The weights of the greedy player, by which ``position_value`` adds up the value of a position -------------------
# Its terms have two values each: one in games at a table, of all variants, and one in the solitaire game, in which
# terms of the Opposition's prospects are added. Games with Exploits have terms of their own besides those of the table.
# ``docs/log/tune_greedy.py`` searches them.


class Terms(NamedTuple):
    """What things other than Glory are worth to a seat, in Glory; the defaults are those of games at a table."""

    # --- income: for each round still to come -------------------------------------------------------------------------
    growth: float = 1.05
    """A disc that Growth will bring."""
    build_level: float = 0.295
    """A level of buildings that Industry allows."""
    action: float = 1.04
    """An action building whose disc Salary can pay back, times what it does (next lines)."""
    unpaid_action: float = 0.677
    """An action building beyond the payments, times what it does."""
    sail: float = 0.873
    """What a building does: Sail."""
    occupy: float = 1.15
    """Occupy."""
    attack: float = 1.53
    """Attack."""
    draw: float = 0.933
    """Draw."""
    pay: float = 1.67
    """Pay."""
    second_choice: float = 2.83
    """"Either" buildings: the lesser action counts times this. Above 1, because such buildings are seldom idle."""
    second_part: float = -0.4
    """"Both" buildings: the lesser action counts times this."""
    # --- stock: what is ready to be used ------------------------------------------------------------------------------
    ready: float = 0.222
    """A building that can be activated now, times what it does; it decides which building is used and freed first."""
    disc: float = 0.101
    """A disc in harbor, or on a building that the next Salary frees. In the last round discs count only by R12.7."""
    card_limit: float = 0.665
    """One more card that Politics allows."""
    excess_card: float = 0.434
    """Subtracted for each card above the limit, which the seat would have to discard at its pass."""
    # --- chances: what the next actions may bring ---------------------------------------------------------------------
    late: float = 0.0942
    """The factor of all chances together in the last round."""
    progress: float = 1.04
    """The part of the way to a marker's next Glory space, times the Glory it adds."""
    level_progress: float = 0.794
    """The part of the way to a marker's next level, times what the level is worth."""
    attack_token: float = 3.98
    """A blue Attack token."""
    occupy_draw_token: float = 4.46
    """A blue Occupy/Draw token."""
    sail_draw_token: float = 3.87
    """A blue Sail/Draw token."""
    pay_token: float = 1.97
    """A blue Pay token."""
    icon: float = 0.609
    """An icon on a card not yet held; its Glory counts fully."""
    best_card: float = 1.29
    """The best card within reach, times its worth."""
    every_card: float = 0.946
    """The best card within reach in each pile, times its worth; the piles are added up."""
    near_card: float = 0.427
    """The factor of a card for which one disc is lacking."""
    closed_card: float = 1.25
    """The factor of a card of a closed region, times the filled part of the track."""
    governor: float = 0.212
    """A Governor whose majority the seat has, times its worth and the filled part of the track."""
    free_city: float = 0.265
    """A free city that the seat may occupy, up to four of them."""
    foothold: float = 0.934
    """Presence in a closed region, times the filled part of its track."""
    link: float = 0.251
    """A connection that lacks only a free city."""
    link_token: float = 1.17
    """The token still on it, times ``link``."""
    # --- the other seats ----------------------------------------------------------------------------------------------
    best_rival: float = 0.394
    """Subtracted for each Glory of the best other seat."""
    all_rivals: float = 0.119
    """Subtracted for each Glory of the other seats' mean."""


class OppositionTerms(NamedTuple):
    """What the Opposition may still gain in a solitaire game, in Glory. All of it is subtracted."""

    # --- this round ---------------------------------------------------------------------------------------------------
    action_due: float = 0.877
    """An action that the Opposition still makes this round."""
    occupy_due: float = 0.661
    """Such an action of a colour that can occupy a city."""
    column: float = 2.81
    """A column that the crown moved this round, which adds an action of the Opposition."""
    bonus_draw: float = 0.274
    """The bonus draw at the end of the round, which the player's first draw brings about."""
    # --- where the crown stands, for the next building ----------------------------------------------------------------
    outer_column: float = 0.698
    """The crown in the first or last column, from which the other outer column is two columns away."""
    last_column: float = 0.567
    """The crown in the last column, where types that were taken from it do not come back."""
    # --- the rounds to come -------------------------------------------------------------------------------------------
    city: float = 0.383
    """The printed Glory of the free cities in open regions, times the part of them that it has actions for."""
    city_blue: float = 1.0
    """A blue token on such a city, times the same part."""
    connection: float = 0.555
    """A connection that lacks only a free city which its colour can occupy, up to the number of actions left."""
    region: float = 0.169
    """An open region, times the actions left in the game."""
    track: float = 0.069
    """The filled part of a track whose Governor the Opposition would win now."""
    status: float = 0.439
    """The part of the way to its markers' next Glory spaces, times the Glory they add."""


class ExploitTerms(NamedTuple):
    """What Exploits are worth to a seat besides the Glory they score, in Glory."""

    shield: float = 0.3
    """A shield on an active Exploit, for each round still to come: its abilities can be used (X1.6)."""
    key: float = 0.5
    """Presence in both regions of an Exploit that is not yet active, times the filled part of the emptier track."""
    cannon: float = 0.9
    """A cannon, for each round still to come: it activates a building and comes back unpaid (E1)."""
    galleon: float = 0.8
    """A galleon, for each round still to come: a disc or a payment in every Salary (E8)."""
    safe_city: float = 0.2
    """An own city that is fortified or has a missionary (E4, E5, E6)."""


SOLO_TERMS = Terms(
    growth=1.68,
    build_level=0.745,
    action=0.6,
    unpaid_action=0.485,
    sail=0.307,
    occupy=0.769,
    attack=2.79,
    draw=1.9,
    pay=1.49,
    second_choice=2.32,
    second_part=-0.0126,
    ready=0.167,
    disc=0.48,
    card_limit=1.42,
    excess_card=0.369,
    late=0.123,
    progress=0.995,
    level_progress=0.981,
    attack_token=5.36,
    occupy_draw_token=1.72,
    sail_draw_token=0.678,
    pay_token=1.87,
    icon=0.413,
    best_card=3.86,
    every_card=0.989,
    near_card=0.487,
    closed_card=-0.0592,
    governor=-0.129,
    free_city=0.644,
    foothold=0.0911,
    link=0.547,
    link_token=1.07,
    best_rival=0.0653,
    all_rivals=0.879,
)
"""The values of the terms in the solitaire game."""


class Weights(NamedTuple):
    """All weights of the player."""

    table: Terms = Terms()
    """For games of several seats."""
    solo: Terms = SOLO_TERMS
    """For the solitaire game."""
    opposition: OppositionTerms = OppositionTerms()
    """For the solitaire game too."""
    exploits: ExploitTerms = ExploitTerms()
    """For games with Exploits, besides ``table``."""

    def as_array(self) -> npt.NDArray[np.float64]:
        """Return the weights for the kernels: (NUM_WEIGHTS,) float64, in the order of the sets and their fields."""
        return np.array([*self.table, *self.solo, *self.opposition, *self.exploits], np.float64)

    @classmethod
    def from_array(cls, values: npt.NDArray[np.float64] | Sequence[float]) -> Weights:
        """Return the weights that ``as_array`` gives as ``values``, (NUM_WEIGHTS,)."""
        rest, sets = [float(value) for value in values], []
        for terms in (Terms, Terms, OppositionTerms, ExploitTerms):
            size = len(terms._fields)
            sets.append(terms(*rest[:size]))
            rest = rest[size:]
        return cls(*sets)

    def changed(self, values: Mapping[str, float]) -> Weights:
        """Return a copy with other values for some of NAMES, which must be known."""
        named = dict(zip(NAMES, self.as_array().tolist(), strict=True))
        return self.from_array(list({**named, **values}.values()))


SOLO_PREFIX = "solo."
EXPLOIT_PREFIX = "exploits."
NAMES = (
    *Terms._fields,
    *(SOLO_PREFIX + name for name in (*Terms._fields, *OppositionTerms._fields)),
    *(EXPLOIT_PREFIX + name for name in ExploitTerms._fields),
)
"""What settings call each weight, in the order of the array: "disc" at a table, "solo.disc" in the solitaire game."""
WEIGHTS = Weights()


# --- The weights of ``greedy`` as text, as in "greedy:disc=0.5,solo.bonus_draw=1" ------------------------------------


def read_weights(settings: str, name: str) -> dict[str, float]:
    """Return the weights that ``settings`` names.

    Args:
        settings: "weight=number,..."; "disc" is a weight of games at a table, "solo.disc" the same in the solitaire
            game, "solo.bonus_draw" one that only the solitaire game has, "exploits.shield" one of games with Exploits.
        name: What errors call the player.

    Raises:
        InvalidOptionError: An unknown weight, or a value that is no finite number.
    """
    known = (
        f"{', '.join(Terms._fields)}, the same with {SOLO_PREFIX!r} before them for the solitaire game, and for it "
        f"{', '.join(SOLO_PREFIX + field for field in OppositionTerms._fields)}, and for the Exploits "
        f"{', '.join(EXPLOIT_PREFIX + field for field in ExploitTerms._fields)}"
    )
    return players.read_weights(settings, name, NAMES, known)
