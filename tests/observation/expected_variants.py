"""What the slices of ``variant_features`` must hold that the standard layout does not have."""

from __future__ import annotations

from typing import Any

import numpy as np

from endeavor_env import Game
from endeavor_env.endeavor.results import rung_of
from endeavor_env.endeavor.rules import constants as c
from tests.kits.observations import turned_seats
from tests.observation import expected
from tests.observation.expected import Values, by_place, one_hot


def features(game: Game, observer: int) -> Values:
    """Return every slice of the variants' layout by name, in its shape."""
    seats = [int(seat) for seat in np.argsort(turned_seats(game.state, -observer))[: game.num_players]]
    values = expected.features(game, observer)
    return values | lead(values) | neutral(game, seats) | scale_and_grid(game) | opposition(game) | waiting(game)


def lead(values: Values) -> Values:
    others = [glory for place, glory in enumerate(values["glory"]) if place and _somebody(values, place)]
    ahead = round((values["glory"][0] - max(others)) * 100)
    return {"glory_lead": [np.clip(ahead / 20, -2, 2)], "lead_at_least": np.arange(5) < rung_of(ahead)}


def _somebody(values: Values, place: int) -> bool:
    """Return whether a player or the Opposition has this place; the markers of nobody stand at no level."""
    return bool(values["level"][place].any())


def neutral(game: Game, order: list[int]) -> Values:
    state = game.state[0]
    return {
        "variant": one_hot(state["variant"], 5),
        "variant_decision": one_hot(int(state["decision"]) - 7, 3),
        "removed_stay": [state["removed_stay"]],
        "track_closed": state["track_owner"] == c.SPACE_CLOSED,
        "removals_left": [state["removals_left"] / 8],
        "neutral_reserve": by_place(state["neutral_reserve"] / 3, order),
        "neutral_harbor": by_place(state["neutral_harbor"] / 3, order),
        "neutral_regions": bits(state["neutral_regions"]),
        "neutral_due": one_hot(state["neutral_due"], 2),
    }


def bits(regions: Any) -> Any:
    """Return one flag a region."""
    return np.asarray(regions, int)[..., None] >> np.arange(c.NUM_REGIONS) & 1


def scale_and_grid(game: Game) -> Values:
    state = game.state[0]
    column = np.full(c.MAX_BUILDING_TYPES, -1)
    for (_, at), building in np.ndenumerate(state["grid"]):
        if building >= 0:
            column[building] = at
    return {
        "ties_first": [state["ties_first"]],
        "difficulty": one_hot(state["difficulty"], 3),
        "ignore_industry": [state["ignore_industry"]],
        "scale": one_hot(state["scale"] - 1, 4),
        "ipf": one_hot(int(state["ipf"]) - 1, 8),
        "bonus_due": [state["bonus_due"]],
        "opposition_first": [state["opposition_first"] if game.phase == "action" else 0],
        "grid_column": one_hot(column, 3),
        "last_built": one_hot(state["last_built"], c.MAX_BUILDING_TYPES),
        "crown_level": one_hot(state["isb_level"], 5),
        "crown_column": one_hot(state["isb_column"], 3),
        "extra_actions": np.where(column < 0, 0, abs(column - state["isb_column"])) / 2,
        "pending": np.isin(np.arange(c.MAX_BUILDING_TYPES), state["pending"]),
    }


def opposition(game: Game) -> Values:
    state = game.state[0]
    kept = (state["card_place"] == c.CARD_RETAINED).reshape(c.NUM_DECKS, c.CARDS_PER_DECK)
    task, step = c.TASK_NAMES[state["task"]], int(state["task_step"])
    later = (np.arange(4) >= step) & (task == "europe")
    return {
        "retained": kept.any(axis=1),
        "task": one_hot(state["task"], 8),
        "acting": one_hot(int(state["acting"]) - 1, 4),
        "scale_at": one_hot(step if task in ("action", "token") else -1, 8),
        "europe_step": one_hot(step if task == "europe" else -1, 4),
        "europe_order": one_hot(state["europe_order"] - 1, 4) * later[:, None],
    }


def waiting(game: Game) -> Values:
    state = game.state[0]
    left = int(state["num_waiting"])
    weights = 0.5 ** (left - np.arange(left))
    kinds = one_hot(state["waiting_kind"][:left] - c.FIRST_BLUE, c.NUM_BLUE)
    return {
        "waiting": np.minimum(kinds.sum(axis=0) / 4, 1),
        "waiting_order": weights @ kinds,
        "waiting_regions": weights @ bits(state["waiting_regions"][:left]),
    }
