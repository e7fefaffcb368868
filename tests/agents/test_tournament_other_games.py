"""Tournaments of other games than Endeavor: paired chance, the engine, the command, and going on with a folder."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from endeavor_env import Game
from endeavor_env.agents.matches import Match
from endeavor_env.agents.registry import agents_for
from endeavor_env.agents.tournament import TournamentResult, play_tournament
from endeavor_env.agents.tournament.result import SeatResult
from endeavor_env.engine.game import GameConfig
from endeavor_env.engine.kernels.rules import CHANCE
from endeavor_env.errors import InvalidOptionError
from endeavor_env.merchants.game import MerchantsConfig
from endeavor_env.merchants.records import replay
from tests.kits.commands import Outcome, run_command
from tests.kits.toy_envs import TOY

MERCHANTS = MerchantsConfig(3, max_rolls=6)
TEXT = "merchants:players=3,max_rolls=6"


def run(*arguments: str) -> Outcome:
    """Return how a tournament in this process ends."""
    return run_command(
        "endeavor_env.agents.arena", "--round-robin", *arguments, "--jobs", "1", "--resamples", "3", columns=200
    )


def seats_of(result: TournamentResult, table: int = 0) -> SeatResult:
    """Return the games of a table size."""
    found = result.tables[table]
    assert isinstance(found, SeatResult)
    return found


@pytest.mark.parametrize(
    ("config", "agents"),
    [(TOY, ["random", "tree:sims=5"]), (MERCHANTS, ["planner", "random"])],
    ids=["toy", "merchants"],
)
def test_a_field_plays_the_games_of_a_match(config: GameConfig, agents: list[str]) -> None:
    result = play_tournament(agents, games=6, config=config, seed=4, resamples=2)
    table = seats_of(result)
    assert (table.players, table.scores.shape, table.rounds.shape) == (3, (2, 2, 3, 3), (2, 2, 3, 1, 3))
    assert (table.rounds[:, :, :, 0] == table.scores).all()
    decisions = 0
    for field, scores in zip(table.fields, table.scores, strict=True):
        match = Match(agents_for(config, [agents[number] for number in field.agents]), 6, 4, config=config)
        assert list(match.play()) == [1, 2]
        assert (match.result().scores == scores).all()
        decisions += match.result().decisions
    assert result.decisions == decisions, "what chance decides is nobody's decision"
    assert result.to_dict()["game"] == config.rules.name


def test_all_seatings_and_fields_have_the_same_dice(tmp_path: Path) -> None:
    result = play_tournament(["planner", "greedy", "random"], games=3, config=MERCHANTS, records=tmp_path, resamples=1)
    table = seats_of(result)
    listed = json.loads((tmp_path / "fields.json").read_text(encoding="utf-8"))["fields"]
    assert len(listed) == len(table.fields) == 7
    rolls = set()
    for field, entry in enumerate(listed):
        for seating in range(3):
            game = replay(tmp_path / entry["folder"] / f"setup_00000_seating_{seating}.json")
            scores = game.scores()
            assert [scores[(agent + seating) % 3] for agent in range(3)] == table.scores[field, 0, seating].tolist()
            assert game.played is not None
            assert [one.agent for one in game.played.seats] == [entry["agents"][(at - seating) % 3] for at in range(3)]
            rolls.add(tuple(action for seat, action in game.history if seat == CHANCE)[:2])
    assert len(rolls) == 1


def test_the_command_plays_table_sizes_with_tables_and_pictures(tmp_path: Path) -> None:
    done = run(
        *("planner", "random", "--game", "merchants:variant=expert,max_rolls=3", "--players", "4,3", "--games", "1"),
        *("--plots", str(tmp_path / "plots"), "--json", str(tmp_path / "all.json")),
    )
    assert (done.status, done.err) == (0, "")
    printed = " ".join(done.out.split())
    assert "6 games of Merchants of Europe, expert, at 3 seats, 2 fields of 1 set-ups, seed 0" in printed
    assert "12 games of Merchants of Europe, expert, at 4 seats, 3 fields of 1 set-ups, seed 0" in printed
    assert "worst field" in printed
    assert "after each round" not in printed
    written = json.loads((tmp_path / "all.json").read_text(encoding="utf-8"))
    assert (written["game"], written["variant"], written["players"]) == ("merchants", "expert", [3, 4])
    names = {f"{name}.{kind}" for name in ("ratings", "matrix_3", "matrix_4") for kind in ("png", "svg")}
    assert {path.name for path in (tmp_path / "plots").iterdir()} == names


def test_a_folder_is_gone_on_with_and_belongs_to_one_game(tmp_path: Path) -> None:
    given = ("planner", "random", "--games", "18", "--out", str(tmp_path / "out"))
    assert run(*given, "--game", TEXT).status == 0
    units = tmp_path / "out" / "units.jsonl"
    whole = units.read_text(encoding="utf-8").splitlines()
    units.write_text("\n".join(whole[:2]) + "\n", encoding="utf-8")
    assert run(*given, "--game", TEXT).status == 0

    def games(lines: list[str]) -> list[dict[str, object]]:
        return [{**json.loads(line), "seconds": 0} for line in lines]

    assert games(units.read_text(encoding="utf-8").splitlines()) == games(whole)
    refused = run(*given, "--game", "merchants:players=3,max_rolls=7")
    assert refused.status == 2
    assert "holds a tournament with options" in refused.err
    assert run(*given).status == 2, "Endeavor"


def test_processes_play_the_same_games() -> None:
    one, two = (
        play_tournament(["planner", "random"], games=18, config=MERCHANTS, resamples=1, jobs=jobs) for jobs in (1, 2)
    )
    assert np.array_equal(seats_of(one).scores, seats_of(two).scores)
    assert one.decisions == two.decisions


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("greedy", "random", "--game", "merchants:players=3", "--players", "4"), "players=4 does not fit merchants"),
        (("greedy", "random", "--game", "merchants", "--players", "5"), "players=5 does not fit variant 'short'"),
        (("greedy", "random", "--game", "merchants", "--players", "3,5"), "players=5 does not fit variant 'short'"),
        (("greedy", "automa", "--game", "merchants"), "agent 'automa' is unknown"),
        (("greedy", "greedy", "--game", "merchants"), "agent 'greedy' is given twice"),
        (("greedy", "random", "--game", "merchants", "--variant", "solo"), "leave out the other options"),
    ],
)
def test_what_is_not_possible_is_one_sentence(arguments: tuple[str, ...], message: str) -> None:
    done = run(*arguments)
    assert (done.status, done.out) == (2, "")
    assert message in done.err
    assert done.err.count("\n") == 1


def test_nothing_else_may_be_said_beside_another_game() -> None:
    with pytest.raises(InvalidOptionError, match="exploits='random' is not possible beside config"):
        play_tournament(["random", "planner"], config=MERCHANTS, exploits="random")
    with pytest.raises(InvalidOptionError, match="give a GameConfig"):
        play_tournament(["random", "greedy"], config=Game)  # type: ignore[arg-type]
