"""Some thousand wrong inputs of each family; ``python -m tests.fuzz`` tries as many as one likes."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.fuzz import boards, misuse, records, run_files, server_requests
from tests.fuzz.families import chunks, families
from tests.fuzz.misuse_environments import ENVIRONMENTS
from tests.fuzz.misuse_targets import OWN

INPUTS = 500
"""Inputs of a test; each family has 2,000 in all."""
SEEDS = [1, 2, 3, 4]


@pytest.mark.parametrize("seed", SEEDS)
def test_edited_records_are_refused_or_are_what_they_say(seed: int) -> None:
    outcomes = records.run(seed, INPUTS)
    assert outcomes["refused"] > INPUTS // 2
    assert outcomes["accepted"] > 10
    assert outcomes["accepted, finished"] > 2


@pytest.mark.parametrize("seed", SEEDS)
def test_edited_boards_are_refused_or_every_game_on_them_ends_soundly(seed: int) -> None:
    outcomes = boards.run(seed, INPUTS)
    assert outcomes["refused"] > INPUTS // 4
    assert outcomes["accepted"] == outcomes["played standard"] > INPUTS // 4
    assert outcomes["played solo"] > 10
    assert outcomes["no solo"] > 10


@pytest.mark.parametrize("targets", [OWN, ENVIRONMENTS], ids=["games, boards, records, observations", "environments"])
def test_wrong_calls_are_refused_by_named_errors_that_change_nothing(targets: tuple[misuse.Target, ...]) -> None:
    outcomes = misuse.run(1, 4 * INPUTS, targets)
    refused = Counter({outcome: times for outcome, times in outcomes.items() if "Error" in outcome})
    assert refused.total() > 2 * INPUTS
    assert outcomes.total() == 4 * INPUTS


def test_damaged_files_of_runs_are_refused_by_named_errors() -> None:
    outcomes = run_files.run(1, 4 * INPUTS)
    assert outcomes.total() == 4 * INPUTS
    accepted = sum(times for outcome, times in outcomes.items() if "accepted" in outcome)
    assert accepted < 2 * INPUTS
    for name in ("tournament", "units", "dataset", "network", "training", "game", "list of games"):
        assert outcomes[f"{name}: accepted"] > 0, name  # some faults are none


@pytest.mark.parametrize("seed", SEEDS)
def test_odd_requests_to_the_page_for_play_never_fail(seed: int) -> None:
    outcomes = server_requests.run(seed, INPUTS)
    assert outcomes.total() == INPUTS
    assert outcomes["POST 200"] > INPUTS // 50
    assert outcomes["POST 400"] > INPUTS // 4


def test_every_family_is_found_by_its_name_and_gets_its_share() -> None:
    names = list(families())
    assert {"records", "boards", "misuse"} <= set(names)
    work = list(chunks(["boards", "records"], 1001, 7))
    assert [one for one in work if one[0] == "records"] == [("records", 7, 250), ("records", 8, 250), ("records", 9, 1)]
    assert sum(count for _, _, count in work) == 1002
