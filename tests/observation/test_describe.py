"""``describe``: observations in words."""

from __future__ import annotations

import numpy as np
import pytest

from endeavor_env import Game
from endeavor_env.errors import InvalidOptionError
from endeavor_env.observation import COMPACT, FEATURES, LAYOUT, describe, observe

from .kit import KINDS, scrambled


def said(game: Game, kind: str, seat: int | None = None, *, ids: bool = True) -> dict[str, list[str]]:
    """Returns the words of every slice that says something."""
    text = describe(observe(game, seat, kind), game.board if ids else None)
    return {line.partition(": ")[0]: line.partition(": ")[2].split(", ") for line in text.splitlines()}


def test_features_of_an_opening() -> None:
    game = Game.new(4, seed=7)
    words = said(game, "features")
    assert words["players"] == ["4"]
    assert words["phase"] == words["decision"] == ["build"]
    assert words["to_move"] == words["first_player"] == ["me"]
    assert words["present"] == ["me", "+1", "+2", "+3"]
    assert words["supply"] == ["me=1", "+1=1", "+2=1", "+3=1"]
    assert words["region_open"] == ["europe"]
    assert words["pile_top"][:2] == ["europe 0", "slavery 0"]
    assert words["city_token"][0] == f"london {game.setup()['tokens']['london']}"
    assert "last_round" not in words
    assert "harbor" not in words


def test_compact_of_an_opening() -> None:
    game = Game.new(5, seed=7)
    words = said(game, "compact", (game.seat + 4) % 5)
    assert words["num_seats"] == ["5"]
    assert words["decision"] == ["build"]
    assert words["to_move"] == ["+1"]
    assert words["buildings"] == [f"{seat} colonial_house=1" for seat in ("me", "+1", "+2", "+3", "+4")]
    assert "city_owner" not in words
    assert "card_place" not in words
    lying = game.setup()["tokens"]
    assert dict(word.split("=") for word in words["token"]) == lying


def test_places_of_cards_in_words() -> None:
    game = Game.new(3, seed=0)
    cards = game.board.cards
    for card, place in (("europe.3", 1), ("slavery.0", 8 + 2), ("india.governor", -2)):
        game.state["card_place"][0, cards.index(card)] = place
    words = said(game, "compact", 1)
    assert words["card_place"] == ["europe.3=me", "slavery.0=+1 face down", "india.governor=out of the game"]
    assert said(game, "features", 1)["card_holder"] == ["europe.3 me"]


def test_without_a_board_things_are_numbered() -> None:
    game = Game.new(3, seed=0)
    game.state["city_owner"][0, 4] = 0
    assert said(game, "compact", 0, ids=False)["city_owner"] == ["city 4=me"]
    assert said(game, "features", 0, ids=False)["city_owner"] == ["city 4 me"]


def test_entries_the_board_does_not_have_are_numbered() -> None:
    vector = np.zeros(FEATURES.size, np.float32)
    FEATURES.view(vector, "city_owner")[39, 2] = 1
    assert describe(vector, Game.new(3, seed=0).board) == "city_owner: city 39 +2"


@pytest.mark.parametrize("kind", KINDS)
def test_every_entry_that_is_not_empty_is_mentioned(kind: str) -> None:
    game = scrambled(5, 4)
    layout, words = getattr(LAYOUT, kind), said(game, kind)
    for name, values in layout.unpack(observe(game, observation=kind)).items():
        empty = -1 if layout[name].encoding in ("id", "relative seat", "place") else 0
        assert len(words.get(name, [])) == np.count_nonzero(values != empty), name


def test_other_arrays_are_refused() -> None:
    with pytest.raises(
        InvalidOptionError, match=rf"shape must be \({FEATURES.size},\) of features or \({COMPACT.size},\)"
    ):
        describe(np.zeros(3))
