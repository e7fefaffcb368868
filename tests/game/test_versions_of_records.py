"""What refuses a record says which version wrote it, as far as the record knows."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from endeavor_env import Game, replay
from endeavor_env.basics.version import VERSION
from endeavor_env.engine.players_info import PlayersInfo
from endeavor_env.errors import RecordError
from endeavor_env.merchants.game import MerchantsConfig
from endeavor_env.merchants.records import replay as replay_merchants

WRITTEN = {"endeavor-env": "0.0.7", "environment": "Endeavor-v0"}
UNKNOWN = f"the record does not say which version wrote it; this is endeavor-env {VERSION}"
KNOWN = f"the record was written with endeavor-env 0.0.7, environment Endeavor-v0; this is endeavor-env {VERSION}"


def endeavor_record() -> dict[str, Any]:
    game = Game.new(players=3, seed=1)
    game.played = PlayersInfo.of([None] * 3)
    for _ in range(3):
        game.apply(game.legal_actions()[0])
    return game.record()


def merchants_record() -> dict[str, Any]:
    game = MerchantsConfig(3).new_game(1)
    game.played = PlayersInfo.of([None] * game.num_players)
    for _ in range(3):
        game.apply(game.legal_actions()[0])
    return game.record()


def illegal(record: dict[str, Any]) -> None:
    record["moves"][0][1] = "no such move"


def of_another_seat(record: dict[str, Any]) -> None:
    record["moves"][0][0] = 99


def over(record: dict[str, Any]) -> None:
    record["result"] = {}


@pytest.mark.parametrize("spoil", [illegal, of_another_seat, over])
@pytest.mark.parametrize(
    ("make", "read"), [(endeavor_record, replay), (merchants_record, replay_merchants)], ids=["endeavor", "merchants"]
)
def test_a_record_that_is_refused_says_which_version_wrote_it(
    make: Callable[[], dict[str, Any]], read: Callable[[Any], object], spoil: Callable[[dict[str, Any]], None]
) -> None:
    record = make()
    assert read(copy.deepcopy(record))
    spoil(record)
    record["played"]["versions"] = WRITTEN
    with pytest.raises(RecordError) as caught:
        read(record)
    assert str(caught.value).endswith(f"({KNOWN})")
    del record["played"]["versions"]
    with pytest.raises(RecordError) as caught:
        read(record)
    assert str(caught.value).endswith(f"({UNKNOWN})")
    del record["played"]
    with pytest.raises(RecordError) as caught:
        read(record)
    assert str(caught.value).endswith(f"({UNKNOWN})")


def test_a_set_up_that_is_refused_says_which_version_wrote_it() -> None:
    record = endeavor_record()
    record["setup"] = {}
    record["played"]["versions"] = WRITTEN
    with pytest.raises(RecordError, match=r"cannot be set up: .*written with endeavor-env 0\.0\.7"):
        replay(record)
