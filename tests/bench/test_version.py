"""Version 1 never changes: its files, set-ups, boards, weights, and how rules and players play."""

from __future__ import annotations

from dataclasses import replace

import pytest

from endeavor_env.bench import frozen
from endeavor_env.bench.version import NEVER_CHANGES, Task, config_of, contents, seed_of, version_one
from endeavor_env.errors import EndeavorError, InvalidOptionError

HASH = "475210d52123c3c24628731dd2b9ee5a1f7da8b363591099017966cd16b5e4f7"
"""SHA-256 over the files of version 1."""
TASKS = ("solo-normal", "solo-harder", "table-3", "table-4", "table-5", "exploits-4", "boards-4")
SOME = 300
VERSION = version_one()


def test_no_byte_of_its_files_has_changed() -> None:
    assert VERSION.hash == HASH, NEVER_CHANGES


def test_rules_and_players_play_as_they_did() -> None:
    assert set(VERSION.behaviour) == set(TASKS)
    frozen.check_behaviour(VERSION)


def test_networks_setups_and_boards_are_what_they_were() -> None:
    frozen.check_weights(VERSION)
    frozen.check_lists(VERSION)


def changed(**values: object) -> Task:
    return replace(VERSION.task("table-3"), **values)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "task",
    [
        changed(train=replace(VERSION.task("table-3").train, first_hash="0" * 64)),
        changed(test=replace(VERSION.task("table-3").test, first_seed=2_000_001)),
    ],
)
def test_other_setups_are_noticed(task: Task) -> None:
    with pytest.raises(EndeavorError, match=f"set-ups of table-3 are others than they were: {NEVER_CHANGES}"):
        frozen.check_lists(replace(VERSION, tasks={"table-3": task}))


def test_another_board_is_noticed() -> None:
    boards = VERSION.boards["test"]
    other = replace(boards, hashes=(boards.hashes[1], *boards.hashes[1:]))
    with pytest.raises(EndeavorError, match=f"board generated_2000000 has the hash .* {NEVER_CHANGES}"):
        frozen.check_lists(replace(VERSION, tasks={}, boards={"test": other}))


def test_other_weights_are_noticed() -> None:
    task = VERSION.task("table-3")
    fields = tuple(replace(field, weights="0" * 64) if field.name == "value" else field for field in task.fields)
    with pytest.raises(
        EndeavorError, match=f"value:@value_standard of table-3 has other weights than it had: {NEVER_CHANGES}"
    ):
        frozen.check_weights(replace(VERSION, tasks={"table-3": changed(fields=fields)}))


def test_other_moves_are_noticed() -> None:
    with pytest.raises(EndeavorError, match=f"games of solo-normal are not played as they were: {NEVER_CHANGES}"):
        frozen.check_behaviour(replace(VERSION, behaviour={"solo-normal": VERSION.behaviour["solo-harder"]}))


@pytest.mark.parametrize("name", TASKS)
def test_training_and_test_have_no_setup_in_common(name: str) -> None:
    task = VERSION.task(name)
    train, test = (set(contents(task.config, setups, SOME)) for setups in (task.train, task.test))
    assert len(train) == len(test) == SOME
    assert not train & test


def test_training_and_test_have_no_board_in_common() -> None:
    train, test = VERSION.boards["train"].hashes, VERSION.boards["test"].hashes
    assert len({*train, *test}) == len(train) + len(test) == 1100


def test_every_task_says_what_the_issue_of_a_benchmark_needs() -> None:
    assert tuple(VERSION.tasks) == TASKS
    for task in VERSION.tasks.values():
        assert (task.train.count, task.test.count) == (10_000, 1_000)
        assert task.floor.agent == "random"
        assert 0 <= task.floor.score < task.oracle.score
        assert all(pace.setups <= task.test.count for pace in task.paces.values())
        public = [field for field in task.fields if not field.hidden]
        assert len(public) == (1 if task.solo else 6)
    assert set(VERSION.task("table-4").paces) == {"forward", "50ms", "1s", "language"}


def test_setups_of_the_board_task_go_round_the_test_boards() -> None:
    task = VERSION.task("boards-4")
    first, again = config_of(task, 3), config_of(task, 103)
    assert first.board.id == again.board.id == "generated_2000003"
    assert (seed_of(task, 3), seed_of(task, 103)) == (2_000_003, 2_000_103)


def test_unknown_names_are_refused() -> None:
    with pytest.raises(InvalidOptionError, match="task 'table-6' is unknown: possible are solo-normal"):
        VERSION.chosen(["table-6"])
    with pytest.raises(InvalidOptionError, match="table-3 is not played at 'language': give one of forward"):
        VERSION.task("table-3").pace("language")
    with pytest.raises(InvalidOptionError, match="field 'automa' of table-3 is unknown: possible are greedy"):
        VERSION.task("table-3").field("automa")


def test_all_stands_for_every_task_and_each_is_played_once() -> None:
    assert [task.name for task in VERSION.chosen(["table-4", "all"])] == list(TASKS)
    assert [task.name for task in VERSION.chosen(["table-4", "table-3", "table-4"])] == ["table-3", "table-4"]
