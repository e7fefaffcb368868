"""Some thousand wrong inputs of each family; ``python -m tests.fuzz`` tries as many as one likes."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.fuzz import boards, misuse, records
from tests.fuzz.families import chunks, families
from tests.fuzz.misuse_environments import ENVIRONMENTS
from tests.fuzz.misuse_targets import OWN

INPUTS = 500


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_edited_records_are_refused_or_are_what_they_say(seed: int) -> None:
    outcomes = records.run(seed, INPUTS)
    assert outcomes["refused"] > INPUTS // 2
    assert outcomes["accepted"] > 10
    assert outcomes["accepted, finished"] > 2


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_edited_boards_are_refused_or_every_game_on_them_ends_soundly(seed: int) -> None:
    outcomes = boards.run(seed, INPUTS // 3)
    assert outcomes["refused"] > INPUTS // 10
    assert outcomes["accepted"] == outcomes["played standard"] > INPUTS // 10
    assert outcomes["played solo"] > 10
    assert outcomes["no solo"] > 10


@pytest.mark.parametrize("targets", [OWN, ENVIRONMENTS], ids=["games, boards, records, observations", "environments"])
def test_wrong_calls_are_refused_by_named_errors_that_change_nothing(targets: tuple[misuse.Target, ...]) -> None:
    outcomes = misuse.run(1, 2 * INPUTS, targets)
    refused = Counter({outcome: times for outcome, times in outcomes.items() if "Error" in outcome})
    assert refused.total() > INPUTS
    assert outcomes.total() == 2 * INPUTS


def test_every_family_is_found_by_its_name_and_gets_its_share() -> None:
    names = list(families())
    assert {"records", "boards", "misuse"} <= set(names)
    work = list(chunks(["boards", "records"], 1001, 7))
    assert [one for one in work if one[0] == "records"] == [("records", 7, 250), ("records", 8, 250), ("records", 9, 1)]
    assert sum(count for _, _, count in work) == 1002
