"""Clones, bytes, records, processes: equal moves give equal bytes, and nothing leaks from one game into another."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from endeavor_env.endeavor.game import Game
from endeavor_env.endeavor.interface import entry
from endeavor_env.endeavor.records import read_record, replay
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.state import STATE
from endeavor_env.testing import random_game
from tests.crosscheck.strategies import board_of, boards, kinds, played, positions, redraws, restarted, seeds

PLAY_IN_A_PROCESS = """
import hashlib, sys
from endeavor_env.testing import random_game
digest = hashlib.sha256()
for variant in ("standard", "solo", "soloplay_2", "soloplay_3", "neutral_2", "exploits"):
    for board in ("endeavor_2009", "generated_5"):
        game = random_game(variant=variant, seed=17, board=board, redraws=2)
        digest.update(game.board.hash.encode() + game.state.tobytes() + repr(game.record()).encode())
print(digest.hexdigest())
"""


@given(game=positions(), eager=redraws)
def test_a_clone_and_its_original_do_not_touch_each_other(game: Game, eager: int) -> None:
    before, history = game.state.tobytes(), list(game.history)
    copy = game.clone()
    assert copy.state.tobytes() == before
    assert not np.shares_memory(copy.state, game.state)
    while not copy.over:
        copy.apply(copy.legal_actions()[eager % len(copy.legal_actions())])
    assert game.state.tobytes() == before
    assert game.history == history
    untouched = copy.state.tobytes()
    if not game.over:
        game.apply(game.legal_actions()[-1])
        assert game.history == [*history, game.history[-1]]
    assert copy.state.tobytes() == untouched


@given(game=positions())
def test_a_state_survives_bytes_and_goes_on_the_same(game: Game) -> None:
    loaded = np.frombuffer(game.state.tobytes(), STATE).copy()
    assert loaded.tobytes() == game.state.tobytes()
    other = game.clone()
    other.state[:] = loaded
    assert other.legal_moves() == game.legal_moves()
    while not game.over:
        action = game.legal_actions()[0]
        game.apply(action)
        other.apply(action)
    assert other.state.tobytes() == game.state.tobytes()


@settings(max_examples=40)
@given(game=positions(), whole=st.booleans())
def test_a_record_replays_to_equal_bytes(game: Game, whole: bool) -> None:
    while whole and not game.over:
        game.apply(game.legal_actions()[len(game.history) % len(game.legal_actions())])
    record = json.loads(json.dumps(game.record()))
    again = replay(record, board=game.board)
    assert again.state.tobytes() == game.state.tobytes()
    assert again.history == game.history
    assert again.record() == record == read_record(record)
    assert ("result" in record) == game.over


@settings(max_examples=40)
@given(game=positions())
def test_the_set_up_alone_gives_the_same_game_as_the_seed(game: Game) -> None:
    again, seeded = restarted(game), restarted(game, game.seed)
    assert again.exploits == game.exploits
    assert again.state.tobytes() == seeded.state.tobytes()
    for seat, action in game.history:
        assert again.seat == seat
        again.apply(action)
    assert again.state.tobytes() == game.state.tobytes()


def test_processes_and_hash_seeds_make_no_difference() -> None:
    outputs = set()
    for hash_seed in ("0", "1", "4242"):
        env = {**os.environ, "PYTHONHASHSEED": hash_seed}
        ran = subprocess.run(
            [sys.executable, "-c", PLAY_IN_A_PROCESS], env=env, capture_output=True, text=True, check=True
        )
        outputs.add(ran.stdout)
    digest = hashlib.sha256()
    for variant in c.VARIANT_NAMES:
        for board in ("endeavor_2009", "generated_5"):
            game = random_game(variant=variant, seed=17, board=board, redraws=2)
            digest.update(game.board.hash.encode() + game.state.tobytes() + repr(game.record()).encode())
    assert outputs == {digest.hexdigest() + "\n"}


@pytest.mark.parametrize("variant", c.VARIANT_NAMES)
def test_equal_seeds_are_equal_games_and_others_are_not(variant: str) -> None:
    starts = [random_game(variant=variant, seed=seed, decisions=0) for seed in (1, 1, 2, 3)]
    games = [{**game.setup(), "exploits": game.exploits} for game in starts]
    assert games[0] == games[1]
    assert len({json.dumps(setup) for setup in games}) == 3


def test_equal_seeds_draw_equal_exploits_and_others_do_not() -> None:
    drawn = [Game.new(variant="exploits", seed=seed).exploits for seed in (*range(30), *range(30))]
    assert drawn[:30] == drawn[30:]
    assert len(set(drawn)) > 25
    assert {name for names in drawn for name in names} == set(c.EXPLOIT_NAMES)


@settings(max_examples=25)
@given(game=positions(("solo",)))
def test_the_opposition_acts_the_same_step_by_step(game: Game) -> None:
    stepwise, out = restarted(game), np.zeros(4, np.int64)
    for _, action in game.history:
        entry.begin_step(stepwise.board.array, stepwise.state, action)
        while entry.opposition_step(stepwise.board.array, stepwise.state, out):
            pass
    assert stepwise.state.tobytes() == game.state.tobytes()


@settings(max_examples=25)
@given(on=boards, kind=kinds(("solo",)), seed=seeds, eager=redraws)
def test_the_option_first_settles_as_a_player_who_always_takes_the_first_option(
    on: str, kind: dict[str, Any], seed: int, eager: int
) -> None:
    kind["options"]["opposition_ties"] = "first"
    settled = played(seed=seed, board=board_of(on), redraws=eager, **kind)
    kind["options"]["opposition_ties"] = "player"
    asked = Game.new(seed=seed, board=board_of(on), **kind)
    for _, action in [*settled.history, (0, -1)]:
        while asked.decision == "opposition":
            asked.apply(asked.legal_actions()[0])
        if action >= 0:
            asked.apply(action)
    asked.state["ties_first"] = 1
    assert asked.state.tobytes() == settled.state.tobytes()
