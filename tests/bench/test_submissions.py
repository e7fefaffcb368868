"""Submissions by name and by class, with the hash of what they are made of."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import pytest

from endeavor_env.bench.submissions import check_plays, make_submitted, submission_hash
from endeavor_env.bench.version import version_one
from endeavor_env.endeavor.players.network_file import published_value_file
from endeavor_env.errors import InvalidOptionError
from tests.bench import agents_of_tests

HOME = "tests.bench.agents_of_tests"


def test_a_submission_is_a_name_or_a_class() -> None:
    assert make_submitted("greedy").name == "greedy"
    assert isinstance(make_submitted(f"{HOME}:First"), agents_of_tests.First)


@pytest.mark.parametrize(
    ("agent", "words"),
    [
        ("robot", "agent 'robot' is unknown"),
        ("no.module:Agent", "agent 'no.module:Agent' cannot be imported: No module named 'no'"),
        (f"{HOME}:Nobody", "cannot be imported: module"),
        (f"{HOME}:NoAgent", "makes no agent: it needs name, reset(seed) and act(game)"),
        ("greedy:disc", "sets disc to ''"),
    ],
)
def test_what_is_no_submission(agent: str, words: str) -> None:
    with pytest.raises(InvalidOptionError, match=re.escape(words)):
        make_submitted(agent)


def test_a_submission_that_does_not_play_a_task_is_refused_before_its_first_game() -> None:
    with pytest.raises(InvalidOptionError, match="agent 'policy' does not play exploits-4"):
        check_plays("policy", {"exploits-4": version_one().task("exploits-4").config})


def test_the_hash_is_that_of_the_network_or_of_the_file_of_the_class() -> None:
    network = published_value_file("standard")
    assert network is not None
    assert submission_hash("value", "standard") == hashlib.sha256(network.read_bytes()).hexdigest()
    content = Path(agents_of_tests.__file__).read_bytes()
    assert submission_hash(f"{HOME}:First", "solo") == hashlib.sha256(content).hexdigest()
    assert submission_hash("greedy", "solo") is None
    assert submission_hash("value:nowhere.npz", "standard") is None
