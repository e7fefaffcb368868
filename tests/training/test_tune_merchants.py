"""The search for weights of the greedy player of Merchants of Europe: fair trials, and searches that can be resumed."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from endeavor_env.merchants.players.greedy.weights import NAMES, WEIGHTS
from endeavor_env.training.tune_greedy import merchants
from endeavor_env.training.tune_greedy.search import read_search
from tests.kits.commands import run_command

COMMAND = "endeavor_env.training.tune_greedy"
PRESENT = WEIGHTS.as_array()
HOPELESS = WEIGHTS._replace(delivered=-1000.0, free_good=-1000.0).as_array()
"""It never delivers a good of its own will."""


def test_candidates_of_a_trial_meet_the_same_games() -> None:
    candidates, field = np.stack([PRESENT, HOPELESS, PRESENT]), PRESENT[None]
    results = merchants.trial(candidates, field, 8, np.random.default_rng(1))
    assert results[0] == results[2]
    assert results[0] > results[1] + 0.1
    assert results.tolist() == merchants.trial(candidates, field, 8, np.random.default_rng(1)).tolist()


def test_matches_are_of_every_table_with_each_seat_in_turn() -> None:
    matches = list(merchants._matches(24, np.random.default_rng(1)))
    for side, players in merchants.TABLES:
        own = [match for match in matches if (match.side, match.players) == (side, players)]
        assert sorted(match.seat for match in own) == list(range(players))
        assert sum(len(match.seeds) for match in own) == 6
    assert len({seed for match in matches for seed in match.seeds}) == 24


def test_a_search_is_compared_and_resumed(tmp_path: Path) -> None:
    file = tmp_path / "search.json"
    small = ["--game", "merchants", "--games", "4", "--population", "4", "--check-games", "4"]
    done = run_command(COMMAND, *small, "--from", "gold=1,offer=0.5", "--generations", "1", "--out", str(file))
    assert (done.status, done.err) == (0, "")
    assert "greedy:delivered=" in done.out
    resumed = run_command(COMMAND, "--resume", str(file), "--generations", "2", "--check-games", "4")
    assert resumed.status == 0
    search = read_search(file)
    assert len(search.values) == 2
    assert search.settings.start == tuple(WEIGHTS._replace(gold=1.0, offer=0.5))
    assert list(search.found()) == list(NAMES)


def test_a_weight_that_there_is_not_is_named(tmp_path: Path) -> None:
    done = run_command(COMMAND, "--game", "merchants", "--from", "disc=1", "--out", str(tmp_path / "search.json"))
    assert done.status == 2
    assert "has no weight 'disc': they are delivered, free_good" in done.err
