"""What the text board shows of the variants with neutral discs only (V2S, V3S, V2F)."""

from __future__ import annotations

from endeavor_env.core import constants as c
from endeavor_env.render.pieces import CLOSED, States, counted

Column = tuple[str, list[int]]
"""A heading and a number for each seat."""


def columns(states: States) -> list[Column]:
    """Returns what the table of the seats shows of neutral discs; nothing in other variants."""
    state, seats = states[0], int(states["num_seats"][0])
    if state.variant in (c.VARIANT_SOLOPLAY_2, c.VARIANT_SOLOPLAY_3):
        harbor, reserve = state.neutral_harbor[:seats].tolist(), state.neutral_reserve[:seats].tolist()
        return [("neutral harbor", harbor), ("reserve", reserve)]
    if state.variant == c.VARIANT_NEUTRAL_2:
        return [("neutral supply", state.supply[seats : 2 * seats].tolist())]
    return []


def decision_note(states: States) -> str:
    """Returns what to add to the name of a decision: how many tokens are to go, whose disc is placed."""
    state = states[0]
    if state.decision == c.DECIDE_REMOVE:
        return f" (tokens still to leave the tracks: {state.removals_left})"
    if state.decision == c.DECIDE_NEUTRAL:
        return f" (a disc of neutral-{state.seat})" if state.variant == c.VARIANT_NEUTRAL_2 else ""
    return ""


def out_of_the_game(states: States) -> list[str]:
    """Returns how many neutral discs were attacked and left the game (V2S.13), if any did."""
    state = states[0]
    gone = int(state.supply[state.num_seats]) if state.variant in (c.VARIANT_SOLOPLAY_2, c.VARIANT_SOLOPLAY_3) else 0
    return [counted("Neutral discs out of the game", gone)] if gone else []


def legend(states: States) -> list[str]:
    """Returns the lines that explain the neutral discs."""
    state = states[0]
    if state.variant == c.VARIANT_NEUTRAL_2:
        return ["<neutral-n> a disc of the neutral side that seat n places"]
    if state.variant not in (c.VARIANT_SOLOPLAY_2, c.VARIANT_SOLOPLAY_3):
        return []
    gone = "still takes a disc" if state.removed_stay else f"is {CLOSED}: it takes no disc"
    return [f"<neutral> a neutral disc; a shipping space whose token was removed {gone}"]
