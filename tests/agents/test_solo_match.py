"""Matches of the solitaire game: the same set-ups for all, rightly counted, repeatable, and shown in four forms."""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np
import pytest

from endeavor_env import Board, Game
from endeavor_env.agents import runner
from endeavor_env.agents.base import Agent
from endeavor_env.agents.matches import DIFFICULTIES, SoloMatch, SoloMatchResult
from endeavor_env.agents.players.compiled import RandomAgent
from endeavor_env.agents.registry import make_agent
from endeavor_env.agents.runner import play_game
from endeavor_env.agents.statistics import mean_interval, wilson_interval
from endeavor_env.basics.inputs import derived_seed
from endeavor_env.endeavor.results import RUNG_NAMES, ladder_of, rung_of
from endeavor_env.errors import EndeavorError, InvalidBoardError, InvalidOptionError
from tests.kits.commands import run_command


def played(*agents: Agent | str, games: int = 2, seed: int = 0, **arguments: Any) -> SoloMatchResult:
    """Return the result of a whole match."""
    match = SoloMatch(agents, games, seed, **arguments)
    assert list(match.play()) == list(range(1, games + 1))
    return match.result()


def run(*arguments: str) -> str:
    """Return what the command prints in a terminal of 80 columns; it goes well."""
    done = run_command("endeavor_env.agents.solo_match", *arguments, columns=80)
    assert (done.status, done.err) == (0, "")
    return done.out


def test_rows_are_agents_times_difficulties_and_games_those_of_the_seed() -> None:
    result = played("random", "automa", seed=4)
    assert [(row.agent, row.difficulty) for row in result.rows] == [
        (agent, difficulty) for agent in ("random", "automa") for difficulty in DIFFICULTIES
    ]
    row = result.rows[5]
    for setup in range(2):
        game = Game.new(variant="solo", seed=derived_seed(4, setup), options={"difficulty": "harder"})
        assert play_game([make_agent("automa")], game) == row.scores[setup].tolist()
        assert game.ladder().rung == row.rungs[setup]


def test_a_row_does_not_depend_on_who_else_plays() -> None:
    alone = played("random", difficulties=["harder"])
    among = played("automa", "random")
    np.testing.assert_array_equal(alone.rows[0].scores, among.rows[5].scores)


def test_same_seed_same_match_and_another_seed_another() -> None:
    def scores(seed: int) -> list[Any]:
        return [row.scores.tolist() for row in played("random", seed=seed).rows]

    assert scores(3) == scores(3)
    assert scores(3) != scores(4)


def test_more_games_begin_with_the_same_games() -> None:
    few, more = played("random", games=2), played("random", games=4)
    np.testing.assert_array_equal(few.rows[1].scores, more.rows[1].scores[:2])


def test_figures_are_counted_from_the_scores(monkeypatch: pytest.MonkeyPatch) -> None:
    leads = [-5, 0, 2, 4, 6, 8, 9, -1]
    order = iter(leads)

    def play(agents: list[Agent], game: Game, hooks: object) -> list[int]:
        lead = next(order)
        monkeypatch.setattr(game, "scores", lambda: [50 + lead, 50])
        monkeypatch.setattr(game, "ladder", lambda: ladder_of(lead, lead in (-5, 9)))
        return game.scores()

    monkeypatch.setattr(runner, "play_game", play)
    (row,) = played("random", games=8, difficulties=["normal"]).rows
    assert row.margins.tolist() == leads
    assert row.rungs.tolist() == [rung_of(lead) for lead in leads] == [0, 1, 1, 2, 3, 4, 5, 0]
    assert row.win_rate == 6 / 8
    assert row.interval == wilson_interval(6 / 8, 8)
    assert row.mean_margin == pytest.approx(np.mean(leads))
    assert row.margin_interval == mean_interval(leads)
    assert (row.mean_score, row.mean_opposition) == (pytest.approx(50 + np.mean(leads)), 50)
    assert (row.score_sd, row.opposition_sd) == (pytest.approx(np.std(leads, ddof=1)), 0)
    assert row.ladder == (2 / 8, 2 / 8, 1 / 8, 1 / 8, 1 / 8, 1 / 8)
    assert row.panache.sum() == 1, "a defeat has no panache (S8.4)"


def test_options_reach_the_games() -> None:
    seen: list[dict[str, Any]] = []

    class Reader(RandomAgent):
        def act(self, game: Game) -> int:
            seen.append(game.options)
            return super().act(game)

    result = played(Reader(), options={"opposition_ties": "first"}, difficulties=["easier", "harder"])
    assert result.config.options == {"opposition_ties": "first"}
    assert {(found["opposition_ties"], found["difficulty"]) for found in seen} == {
        ("first", "easier"),
        ("first", "harder"),
    }


def test_result_as_json_values() -> None:
    result = played("random", difficulties=["normal"], board=Board.default())
    written = json.loads(json.dumps(result.to_dict()))
    assert (written["variant"], written["games"], written["seed"], written["board"]) == ("solo", 2, 0, "endeavor_2009")
    (row,) = written["rows"]
    assert (row["agent"], row["difficulty"]) == ("random", "normal")
    assert list(row["ladder"]) == list(RUNG_NAMES)
    assert np.array(row["scores"]).shape == (2, 2)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"games": 1}, "games=1 is not possible: give a whole number of at least 2"),
        ({"games": 2.5}, "games=2.5"),
        ({"difficulties": []}, "difficulties none are not possible: give some of easier, normal, harder, each once"),
        ({"difficulties": ["hard"]}, "difficulties hard are not possible"),
        ({"difficulties": ["normal", "normal"]}, "each once"),
        ({"seed": -1}, "seed=-1"),
        ({"options": {"variant_removed_spaces_stay": True}}, "variant 'solo' has no option"),
        ({"board": "atlantis"}, "board 'atlantis' is unknown"),
    ],
)
def test_what_does_not_fit_is_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidOptionError, match=message):
        SoloMatch(["random"], **{"games": 2, **arguments})


def test_no_agent_and_no_result() -> None:
    with pytest.raises(InvalidOptionError, match="give at least one"):
        SoloMatch([], 2)
    with pytest.raises(EndeavorError, match="there is no result before 2"):
        SoloMatch(["random"], 2).result()


def test_a_board_on_which_the_solitaire_game_cannot_be_played_is_refused() -> None:
    data = Board.default().to_dict()
    market = next(building for building in data["buildings"] if building["id"] == "market")
    market["level"] = 2
    with pytest.raises(InvalidBoardError, match="level 1 has 2 building types"):
        SoloMatch(["random"], 2, board=Board.from_dict(data))


# --- the command line -------------------------------------------------------------------------------------------------


def test_prints_the_figures_and_the_ladder_in_80_columns() -> None:
    done = run("random", "automa", "--games", "3", "--seed", "5")
    assert "3 solo games a row on endeavor_2009, seed 5" in done
    assert max(map(len, done.splitlines())) <= 80
    assert "…" not in done
    expected = played("random", "automa", games=3, seed=5).rows
    shown = [re.split(r" {2,}", line.strip()) for line in done.splitlines() if "%" in line and "95 %" not in line]
    figures, rungs = shown[: len(expected)], shown[len(expected) :]
    for row, cells, steps in zip(expected, figures, rungs, strict=True):
        low, high = row.interval
        assert cells[:3] == [row.agent, row.difficulty, f"{row.win_rate:.1%}"]
        assert cells[3] == f"{100 * low:.1f}-{high:.1%}"
        assert cells[4] == f"{row.mean_margin:+.1f}"
        assert cells[5] == "{:+.1f} to {:+.1f}".format(*row.margin_interval)
        assert cells[6:] == [f"{row.mean_score:.1f}", f"{row.mean_opposition:.1f}"]
        assert steps == [row.agent, row.difficulty, *(f"{share:.1%}" for share in row.ladder)]
    assert re.search(r"[\d.]+ games/s, \d+ decisions/s, \d+ decisions a game\n$", done)


def test_prints_markdown() -> None:
    done = run("random", "--games", "2", "--difficulty", "easier", "--markdown")
    (row,) = played("random", difficulties=["easier"]).rows
    head, marks, body, blank, note = done.rstrip("\n").split("\n")
    assert head == "| agent | difficulty | wins | 95 % | lead | 95 % | score | theirs | ladder, % |"
    assert marks.count("|") == head.count("|") == body.count("|")
    assert body.startswith(f"| random | easier | {row.win_rate:.1%} |")
    assert body.endswith(f"| {row.mean_score:.1f} | {row.mean_opposition:.1f} | 100/0/0/0/0/0 |")
    assert blank == ""
    assert note.startswith("2 solo games a row on endeavor_2009, seed 0; a win is a lead of 0 or more")
