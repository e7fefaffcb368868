"""A row says all by which it can be checked, is the same each time, and is refused as soon as anything is changed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from endeavor_env import Game
from endeavor_env.bench import rows, submissions
from endeavor_env.bench import verify as verifying
from endeavor_env.bench.games import RunFile, moves_text, read_moves, read_scores, scores_text
from endeavor_env.bench.rows import RowError, check_row, digest_of, read_row, row_text
from endeavor_env.bench.submissions import agent_of_hash, submission_hash
from endeavor_env.bench.verify import Verifier
from endeavor_env.bench.version import seed_of, version_one
from endeavor_env.endeavor.players.network_file import named_network_files
from endeavor_env.errors import EndeavorError
from tests.bench.conftest import Row, played, row_of


def test_a_row_is_true(solo_row: Row, language_row: Row) -> None:
    for row in (solo_row, language_row):
        verifier = Verifier(row)
        tasks = len(row["tasks"])
        assert len(list(verifier.records())) == {1: 2, 2: 6}[tasks]
    assert Verifier(solo_row).why_not_again() == ""
    assert len(list(Verifier(solo_row).again(5))) == 5
    assert "does not make the same moves again" in Verifier(language_row).why_not_again()


def test_a_row_is_the_same_each_time_but_for_times(language_run: RunFile, language_row: Row) -> None:
    again = row_of(played("greedy", "language", "solo-normal", "table-4"))
    for row in (again, language_row):
        row.pop("times")
    assert row_text(again) == row_text(language_row)


def test_a_row_can_be_read_from_its_file(language_row: Row, tmp_path: Path) -> None:
    (tmp_path / "row.json").write_text(row_text(language_row))
    assert read_row(tmp_path / "row.json") == language_row


def test_what_a_row_says_follows_from_its_games(language_row: Row) -> None:
    task = version_one().task("table-4")
    stored = language_row["tasks"]["table-4"]
    wins = []
    for field in ("greedy", "value"):
        games = read_scores(stored["fields"][field]["scores"], (5, 4, 4)).reshape(-1, 4)
        first = games == games.max(axis=1, keepdims=True)
        wins.append((first[:, 0] / first.sum(axis=1)).mean())
        assert stored["fields"][field]["share"] == pytest.approx(wins[-1], abs=1e-6)
    assert stored["score"] == pytest.approx(4 * np.mean(wins), abs=1e-6)
    assert stored["worst"]["odds"] == pytest.approx(4 * min(wins), abs=1e-6)
    low, high = task.floor.score, task.oracle.score
    assert stored["normalised"] == pytest.approx((4 * np.mean(wins) - low) / (high - low), abs=1e-5)
    both = [language_row["tasks"][name]["normalised"] for name in ("solo-normal", "table-4")]
    assert language_row["score"]["normalised"] == pytest.approx(np.mean(both), abs=1e-6)
    assert stored["interval"][0] < stored["score"] < stored["interval"][1]


def test_the_solitaire_score_is_the_share_of_games_won(solo_row: Row) -> None:
    stored = solo_row["tasks"]["solo-harder"]
    games = read_scores(stored["fields"]["opposition"]["scores"], (500, 1, 2))[:, 0]
    assert stored["score"] == pytest.approx((games[:, 0] >= games[:, 1]).mean(), abs=1e-6)


def test_anybody_can_replay_a_record(language_row: Row) -> None:
    task = version_one().task("table-4")
    one = language_row["tasks"]["table-4"]["sample"][0]
    game = Game.new(4, seed=seed_of(task, one["setup"]))
    for action in read_moves(one["moves"]):
        game.apply(action)
    assert game.over
    stored = read_scores(language_row["tasks"]["table-4"]["fields"][one["field"]]["scores"], (5, 4, 4))
    by_position = [game.scores()[(position + one["seating"]) % 4] for position in range(4)]
    assert stored[one["setup"], one["seating"]].tolist() == by_position


def scores_changed(row: Row) -> None:
    field = row["tasks"]["table-4"]["fields"]["value"]
    games = read_scores(field["scores"], (5, 4, 4)).copy()
    games[0, 0, 0] += 40
    field["scores"] = scores_text(games)


def set_at(*path: Any) -> Callable[[Row], None]:
    """Return what sets the value at the end of a path of keys."""
    *keys, last, value = path

    def change(row: Row) -> None:
        for key in keys:
            row = row[key]
        row[last] = value

    return change


CHANGES: list[tuple[Callable[[Row], None], str]] = [
    (set_at("format", "endeavor-bench-row/2"), "no row of the benchmark: its format is 'endeavor-bench-row/2'"),
    (set_at("version", 2), "of another version of the benchmark"),
    (set_at("benchmark", "0" * 64), "of another version of the benchmark"),
    (set_at("name", "somebody else"), "changed after it was written"),
    (set_at("seed", 1), "changed after it was written"),
    (set_at("hashes", "standard", "0" * 64), "changed after it was written"),
    (set_at("package_version", "9"), "changed after it was written"),
    (set_at("machine", "cores", 1000), "changed after it was written"),
    (set_at("command", "by hand"), "changed after it was written"),
    (set_at("times", "written", "1999-01-01T00:00:00Z"), "changed after it was written"),
    (set_at("times", "tasks", "table-4", "mean_ms", 1e9), "the mean decision of table-4 took"),
    (set_at("play", "50ms"), "has other set-ups or fields than 50ms plays"),
    (set_at("play", "100ms"), "in which track it was played: give one of forward, 50ms"),
    (set_at("score", "normalised", 2.0), "the score of the row is not the one that its games give"),
    (set_at("tasks", "table-4", "hash", "0" * 64), "another task than that of version 1"),
    (set_at("tasks", "table-4", "setups", 4), "has other set-ups or fields"),
    (set_at("tasks", "table-4", "score", 3.0), "the score of table-4 is not the one that its games give"),
    (set_at("tasks", "table-4", "interval", [0.0, 4.0]), "the interval of table-4"),
    (set_at("tasks", "table-4", "decisions", 5), "changed after it was written"),
    (set_at("tasks", "table-4", "worst", "field", "greedy?"), "the worst of table-4"),
    (set_at("tasks", "table-4", "fields", "value", "share", 0.9), "the figures of table-4 against value"),
    (set_at("tasks", "table-4", "fields", "value", "lost", {"0.0": "slow", "9.0": "slow"}), "that was not played"),
    (
        set_at("tasks", "table-4", "fields", "value", "scores", "AAAA"),
        "cannot be read: its scores are 3, not 5 x 4 x 4",
    ),
    (set_at("tasks", "table-4", "fields", "value", "scores", "?"), "cannot be read: its scores or moves are no base64"),
    (scores_changed, "the figures of table-4 against value are not those that its games give"),
    (set_at("tasks", "table-4", "sample", 0, "setup", 99), "not of the games that its results choose"),
    (set_at("tasks", "table-4", "sample", []), "not of the games that its results choose"),
    (set_at("tasks", "table-4", "sample", 0, "moves", "AA=="), "its moves are cut off"),
    (set_at("tasks", {}), "tasks in the order"),
    (set_at("training", "track", "years"), "needs a training track"),
    (lambda row: row.pop("machine"), "the row lacks machine"),
    (set_at("extra", 1), "has a field too many, extra"),
    (set_at("tasks", "table-4", None), "is not laid out as rows are"),
]


@pytest.mark.parametrize(("change", "words"), CHANGES)
def test_one_changed_value_is_refused_in_one_sentence(
    change: Callable[[Row], None], words: str, language_row: Row
) -> None:
    change(language_row)
    with pytest.raises(RowError, match=words) as caught:
        check_row(language_row)
    assert "\n" not in str(caught.value)


ODD: list[tuple[tuple[Any, ...], str]] = [
    (("version", True), "another version of the benchmark"),
    (("agent", 7), "the row has agent 7: it must be a text"),
    (("agent", ""), "the row has agent '': it must be a text"),
    (("command", None), "the row has command None: it must be a text"),
    (("seed", -5), "the row has seed -5: it must be a whole number from 0 to"),
    (("seed", True), "the row has seed True"),
    (("seed", 1 << 128), "the row has seed 34028"),
    (("repeats", "no"), "the row has repeats 'no': it must be true or false"),
    (("machine", "xxx"), "machine of the row is 'xxx', no object"),
    (("machine", {}), "machine of the row lacks system"),
    (("machine", "cores", 0), "machine.cores 0: it must be a whole number above 0"),
    (("machine", "python", 3), "machine.python 3: it must be a text"),
    (("hashes", ["standard", "exploits", "solo"]), "hashes of the row is .*, no object"),
    (("hashes", "solo", "abc"), "hashes.solo 'abc': it must be the 64 digits of a SHA-256, or null"),
    (("training", None), "training of the row is None, no object"),
    (("training", {"track": "none"}), "training of the row lacks seed"),
    (("times", []), r"times of the row is \[\], no object"),
    (("times", {"tasks": {}}), "times of the row lacks written"),
    (("times", "tasks", {}), "times.tasks of the row lacks solo-normal"),
    (("times", "tasks", "table-4", "mean_ms", -1), "mean_ms -1: it must be a number from 0 on"),
    (("times", "written", 1999), "times.written 1999: it must be a text"),
    (("tasks", "table-4", "decisions", -3), "table-4.decisions -3: it must be a whole number from 0 on"),
    (("tasks", "table-4", "decisions", True), "table-4.decisions True"),
    (("tasks", "table-4", "setups", 5.0), "has other set-ups or fields"),
    (("tasks", "table-4", "more", 1), "table-4 of the row has a field too many, more"),
    (("tasks", "table-4", "fields", "value", "lost", {"0.0": ""}), "lost.0.0 '': it must be a text"),
    (("tasks", "table-4", "sample", 0, "seating", False), "not of the games that its results choose"),
    (("tasks", "table-4", "sample", 0, 7), "a record of table-4 is 7, no object"),
]


@pytest.mark.parametrize(("path", "words"), ODD, ids=str)
def test_a_value_that_no_row_has_is_refused_even_with_the_right_digests(
    path: tuple[Any, ...], words: str, language_row: Row
) -> None:
    set_at(*path)(language_row)
    times = language_row["times"]
    if isinstance(times, dict):
        times["digest"] = rows._hash_of_json({key: value for key, value in times.items() if key != "digest"})
    language_row["digest"] = digest_of(language_row)
    with pytest.raises(RowError, match=words) as caught:
        check_row(language_row)
    assert "\n" not in str(caught.value)


def forged(row: Row) -> Row:
    """Return a row with the digest that it should have."""
    row["digest"] = digest_of(row)
    check_row(row)
    return row


def test_moves_of_the_other_players_that_they_do_not_make_are_refused(language_row: Row) -> None:
    sample = language_row["tasks"]["table-4"]["sample"][0]
    moves = read_moves(sample["moves"])
    game = Game.new(4, seed=seed_of(version_one().task("table-4"), sample["setup"]))
    for number, move in enumerate(moves):
        others = [action for action in game.legal_actions() if action != move]
        if game.seat != sample["seating"] and others:
            sample["moves"] = moves_text([*moves[:number], others[0]])
            break
        game.apply(move)
    with pytest.raises(RowError, match=r"move \d+ of game .* of table-4 against greedy is not the one that greedy"):
        list(Verifier(forged(language_row)).records())


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda moves: moves[:-1], "is not played to its end"),
        (lambda moves: [*moves, 0], "cannot be replayed"),
        (lambda moves: [moves[0], 60_000], "cannot be replayed"),
    ],
)
def test_records_of_another_length_are_refused(
    change: Callable[[list[int]], list[int]], words: str, solo_row: Row
) -> None:
    sample = solo_row["tasks"]["solo-harder"]["sample"][0]
    sample["moves"] = moves_text(change(read_moves(sample["moves"])))
    with pytest.raises(RowError, match=words):
        list(Verifier(forged(solo_row)).records())


def test_a_record_of_another_game_is_refused(solo_row: Row) -> None:
    first, second = solo_row["tasks"]["solo-harder"]["sample"]
    first["moves"] = second["moves"]
    with pytest.raises(RowError, match=r"cannot be replayed|ends with|not played to its end"):
        list(Verifier(forged(solo_row)).records())


def test_games_of_another_agent_are_not_those_of_the_row(solo_row: Row) -> None:
    with pytest.raises(RowError, match=r"ends with \[.*\]: the row says \["):
        list(Verifier(solo_row, agent="automa").again(5, seed=1))


def test_a_submission_that_is_not_here_is_not_played_again(solo_row: Row) -> None:
    verifier = Verifier(solo_row, agent="value:nowhere.npz")
    assert "the submission is not here" in verifier.why_not_again()
    assert "is not made of the files here that the row says" in Verifier(solo_row, agent="value").why_not_again()


@pytest.fixture
def code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file that code of a row makes: a module ``evil_agent`` that can be imported, and a program ``evil.py``."""
    made = tmp_path / "made"
    for name in ("evil_agent.py", "evil.py"):
        (tmp_path / name).write_text(f"import pathlib\npathlib.Path({str(made)!r}).touch()\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(tmp_path)
    return made


@pytest.mark.parametrize("agent", ["process:touch made", "code:evil.py", "evil_agent:Agent", "os:getcwd"])
def test_verifying_runs_no_code_that_a_row_names(agent: str, solo_row: Row, code: Path) -> None:
    solo_row["agent"] = agent
    verifier = Verifier(forged(solo_row))
    assert len(list(verifier.records())) == 2
    sentence = f"{agent} is code, which no row may have run: its games are replayed, and --agent plays them again"
    assert verifier.why_not_again() == sentence
    with pytest.raises(RowError, match="is code, which no row may have run"):
        next(verifier.again(1))
    assert not code.exists()


def test_files_of_code_that_a_row_names_are_not_read(solo_row: Row, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    monkeypatch.setattr(submissions, "weights_hash", lambda name, variant: read.append(name))
    solo_row["agent"] = "code:/dev/zero"  # which has no end
    assert "is code" in Verifier(forged(solo_row)).why_not_again()
    assert read == []


def test_code_that_the_user_names_is_run(solo_row: Row, code: Path) -> None:
    for agent in ("no_such_module:Agent", "evil_agent:Agent"):
        assert "the submission is not here" in Verifier(solo_row, agent=agent).why_not_again()
    assert code.exists()


def test_hashes_are_compared_before_a_submission_is_made(solo_row: Row, monkeypatch: pytest.MonkeyPatch) -> None:
    solo_row["hashes"]["solo"] = "0" * 64
    verifier = Verifier(forged(solo_row), agent="process:false")
    monkeypatch.setattr(verifying, "check_plays", lambda agent, configs: pytest.fail("it is made"))
    assert "is not made of the files here that the row says: give --agent" in verifier.why_not_again()


@pytest.mark.parametrize(
    ("agent", "variant", "file", "then"),
    [
        ("value", "standard", "value_standard", "value:@value_standard"),
        ("policy", "solo", "policy_solo", "policy:@policy_solo"),
        ("search:sims=15", "standard", "value_standard", "search:sims=15,network=@value_standard"),
        ("search", "standard", "value_standard", "search:network=@value_standard"),
    ],
)
def test_a_row_of_an_older_network_of_the_package_is_played_with_that_one(
    agent: str, variant: str, file: str, then: str
) -> None:
    """After a newer network came, so that the agent's name means that one."""
    digest = hashlib.sha256(named_network_files(f"@{file}")[0].read_bytes()).hexdigest()
    assert submission_hash(agent, variant) != digest
    assert agent_of_hash(agent, variant, digest) == then
    assert agent_of_hash(agent, variant, submission_hash(agent, variant)) == agent
    assert agent_of_hash(agent, variant, "0" * 64) == agent


def test_a_score_that_no_byte_holds_is_refused() -> None:
    with pytest.raises(EndeavorError, match="outside of -50 to 205"):
        scores_text(np.array([206]))
    assert read_scores(scores_text(np.array([-50, 205])), (2,)).tolist() == [-50, 205]


def test_a_row_is_small(solo_row: Row, language_row: Row) -> None:
    assert len(json.dumps(solo_row)) < 10_000
    assert len(json.dumps(language_row)) < 10_000
