"""Buildings that pay: boards on which a round need not end are refused, and on all others every game ends."""

from __future__ import annotations

from typing import Any

import pytest

from endeavor_env.endeavor.board import Board, checks
from endeavor_env.endeavor.board.loading import find_faults
from endeavor_env.endeavor.game import Game
from endeavor_env.testing import most_decisions, random_game

PAYS = {"mode": "one", "actions": ["pay"]}
PAYS_OR_SAILS = {"mode": "either", "actions": ["sail", "pay"]}
PAYS_TWICE = {"mode": "both", "actions": ["pay", "pay"]}
PAYS_AND_DRAWS = {"mode": "both", "actions": ["draw", "pay"]}
NO_ACTION = {"mode": "none", "actions": []}
LEVEL_5 = ("exchange", "museum", "parliament")
OTHERS_IDLE: dict[str, dict[str, Any]] = dict.fromkeys(LEVEL_5, NO_ACTION)
START_TYPE = {"level": 0, "copies": 0, "start": True}
Changes = dict[str, dict[str, Any]]

ENDLESS: dict[str, Changes] = {
    "copies of one type": {**OTHERS_IDLE, "market": PAYS},
    "two copies of level 4": {**OTHERS_IDLE, "cartographer": {**PAYS, "copies": 2}},
    "copies that pay or do something else": {**OTHERS_IDLE, "shipyard": PAYS_OR_SAILS},
    "copies that pay twice": {**OTHERS_IDLE, "bank": PAYS_TWICE},
    "copies that pay and do something else": {**OTHERS_IDLE, "bank": PAYS_AND_DRAWS},
    "single copies of two types": {
        **OTHERS_IDLE,
        "bank": {**PAYS, "copies": 1},
        "barracks": {**PAYS, "copies": 1},
        "market": {"copies": 14},
    },
    "a start building and one of level 1": {**OTHERS_IDLE, "colonial_house": PAYS, "market": PAYS},
    "a start building and one of level 5": {"colonial_house": PAYS},
    "two start buildings": {
        **OTHERS_IDLE, "colonial_house": PAYS, "bank": {**PAYS, **START_TYPE}, "market": {"copies": 9}
    },
    "one below level 5 and one of level 5": {"bank": {**PAYS, "copies": 1}, "market": {"copies": 9}},
}  # fmt: skip
FINITE: dict[str, Changes] = {
    "a start building": {**OTHERS_IDLE, "colonial_house": PAYS},
    "a start building that pays twice": {**OTHERS_IDLE, "colonial_house": PAYS_TWICE},
    "the only copy of a type": {**OTHERS_IDLE, "bank": {**PAYS_TWICE, "copies": 1}, "market": {"copies": 9}},
    "two copies of each type of level 5": {name: {**PAYS_TWICE, "copies": 2} for name in LEVEL_5},
    "copies in a game of one round": {**OTHERS_IDLE, "market": PAYS, "constants": {"rounds": 1}},
    "no building at all": OTHERS_IDLE,
}


def changed(changes: Changes) -> dict[str, Any]:
    """Return the default board with other buildings, each of which a player may build from the first round on."""
    data = Board.default().to_dict()
    data["status_tracks"]["build_level"] = [5] * len(data["status_tracks"]["build_level"])
    for building in data["buildings"]:
        building.update(changes.get(building["id"], {}))
    data["constants"].update(changes.get("constants", {}))
    return data


def comes_back(game: Game) -> bool:
    """Play until a position comes back, or the game is over; return whether one came back.

    Seat 0 builds what pays and uses it, the others pass.
    """
    paying = {name for name in game.board.buildings if "pay" in actions_of(game.board, name)}
    seen: set[bytes] = set()
    while not game.over:
        position = game.state.tobytes()
        if position in seen:
            return True
        seen.add(position)
        assert len(seen) < 3000
        game.play(max(game.legal_moves(), key=lambda move: eagerness(game, move, paying)))
    return False


def actions_of(board: Board, name: str) -> list[str]:
    return next(building["actions"] for building in board.to_dict()["buildings"] if building["id"] == name)


def eagerness(game: Game, move: str, paying: set[str]) -> int:
    """Return how much seat 0 wants ``move``; the others pass."""
    verb, _, target = move.partition(":")
    if game.seat != 0:
        return verb in ("pass", "done")
    if verb in ("activate", "build", "pay"):
        return 2 * (target in paying) + (verb == "activate") * (target in paying)
    return 1 if verb in ("pass", "done") else 0


@pytest.mark.parametrize("changes", ENDLESS.values(), ids=ENDLESS)
def test_a_refused_board_has_a_round_without_end(changes: Changes, monkeypatch: pytest.MonkeyPatch) -> None:
    data = changed(changes)
    faults = find_faults(data)[1]
    assert len(faults) == 1
    assert faults[0].startswith("a player can own two buildings, or two copies of one, of those that pay (")
    monkeypatch.setattr(checks, "_check_pay", lambda data, faults: None)
    game = Game.new(players=3, seed=1, board=Board.from_dict(data))
    assert comes_back(game)


@pytest.mark.parametrize("changes", FINITE.values(), ids=FINITE)
def test_on_a_board_that_is_not_refused_the_same_play_comes_to_an_end(changes: Changes) -> None:
    board = Board.from_dict(changed(changes))
    game = Game.new(players=3, seed=1, board=board)
    assert not comes_back(game)


@pytest.mark.parametrize("variant", ["standard", "exploits"])
@pytest.mark.parametrize("changes", FINITE.values(), ids=FINITE)
def test_random_games_on_such_boards_stay_below_the_bound(changes: Changes, variant: str) -> None:
    board = Board.from_dict(changed(changes))
    for seed in range(40):
        redraws = 4 if seed % 2 else -4
        game = random_game(3 + seed % 3, seed, variant=variant, board=board, redraws=redraws, check=seed < 6)
        assert game.over
        assert len(game.history) < most_decisions(board)


def test_a_fault_of_its_mode_is_the_only_fault_of_a_building_that_pays() -> None:
    data = changed({"market": {"mode": "none", "actions": ["pay"]}})
    assert len(find_faults(data)[1]) == 1
    assert "has mode none" in find_faults(data)[1][0]
