"""The weights of ``greedy`` as text, as in "greedy:disc=0.5,solo.bonus_draw=1"."""

from __future__ import annotations

from endeavor_env.endeavor.players.greedy.weights import (
    EXPLOIT_PREFIX,
    NAMES,
    SOLO_PREFIX,
    ExploitTerms,
    OppositionTerms,
    Terms,
)
from endeavor_env.engine import weights_text


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
    return weights_text.read_weights(settings, name, NAMES, known)
