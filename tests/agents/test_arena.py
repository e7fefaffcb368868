"""The command line of the arena: its table, its file, its errors, and what Ctrl-C leaves."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from agents import arena
from agents.base import Agent
from agents.matches import match
from agents.matches.match import play_match
from agents.players.random_agent import RandomAgent
from endeavor_env import Board, Game
from tests.kits import players as kit

ROOT = Path(__file__).resolve().parents[2]


def run(*arguments: str) -> Result:
    """Runs the command in a wide terminal."""
    return CliRunner().invoke(arena.app, list(arguments), env={"COLUMNS": "160", "TERM": "dumb"})


def test_prints_the_table_of_the_match() -> None:
    done = run("greedy", "random", "random", "--games", "6", "--seed", "5")
    assert done.exit_code == 0
    assert done.stderr == ""
    expected = play_match(["greedy", "random", "random"], games=6, seed=5)
    rows = re.findall(r"│ (\S+) +│ +(\S+)% │ +(\S+)% to +(\S+)% │ +(\S+) ± (\S+) │ +(\S+) │", done.stdout)
    assert [row[0] for row in rows] == ["greedy", "random", "random#2"]
    for row, agent in zip(rows, expected.agents, strict=True):
        shown = [float(number) for number in row[1:]]
        low, high = agent.interval
        told = [100 * agent.win_rate, 100 * low, 100 * high, agent.mean_score, agent.score_sd, agent.mean_rank]
        assert shown == pytest.approx(told, abs=0.051)
    assert "6 games on endeavor_2009, 2 set-ups in 3 seatings each, seed 5" in done.stdout
    assert re.search(r"[\d.]+ games/s, \d+ decisions/s, \d+ decisions a game\n$", done.stdout)


def test_writes_json(tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    assert run("random", "random", "random", "--games", "3", "--json", str(file)).exit_code == 0
    told = json.loads(file.read_text(encoding="utf-8"))
    assert told["scores"] == play_match(["random"] * 3, games=3).scores.tolist()


def test_plays_on_another_board(tmp_path: Path) -> None:
    file = tmp_path / "my_board.toml"
    file.write_text(Board.generate(4).to_toml(), encoding="utf-8")
    for board in (str(file), "generated_4"):
        done = run("random", "random", "random", "--games", "3", "--board", board)
        assert done.exit_code == 0
        assert "3 games on generated_4" in done.stdout


def test_plays_a_variant_with_its_options() -> None:
    option = "variant_removed_spaces_stay=true"
    done = run("greedy", "automa", "--variant", "soloplay_2", "--games", "4", "--seed", "2", "--option", option)
    assert done.exit_code == 0
    title = "4 games of soloplay_2 on endeavor_2009, 2 set-ups in 2 seatings each, seed 2"
    assert title in " ".join(done.stdout.split())
    options = {"variant_removed_spaces_stay": True}
    expected = play_match(["greedy", "automa"], games=4, seed=2, variant="soloplay_2", options=options)
    for agent in expected.agents:
        assert f"{agent.mean_score:.1f} ± {agent.score_sd:.1f}" in done.stdout


@pytest.mark.parametrize(("players", "games"), [(3, 402), (4, 400), (5, 400)])
def test_games_by_default(players: int, games: int) -> None:
    assert f"{games} games on" in run(*["random"] * players).stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["random", "random", "robot"], "agent 'robot' is unknown: possible are random, greedy, "),
        (["random", "random"], "a match of 2 agents is not possible: give 3 to 5, one a seat"),
        (["random"] * 6, "a match of 6 agents is not possible"),
        (["random"] * 4 + ["--games", "10"], "games=10 is not possible"),
        (["random"] * 3 + ["--seed", "-1"], "seed=-1 is not possible"),
        (["random"] * 3 + ["--board", "atlantis"], "board 'atlantis' is unknown"),
        (["random"] * 3 + ["--variant", "chess"], "variant 'chess' is unknown"),
        (["random", "--variant", "solo"], "python -m agents.solo_match plays it"),
        (["random"] * 2 + ["--variant", "neutral_2", "--option", "difficulty=easier"], "'neutral_2' has no options"),
        (["random"] * 3 + ["--option", "difficulty"], "option 'difficulty' is not possible: write it as name=value"),
        (["random"] * 3 + ["--json", "no/such/folder/match.json"], "there is no folder no/such/folder"),
        (["random"] * 3 + ["--games", "3", "--json", "."], "cannot be written"),
    ],
)
def test_mistakes_are_one_sentence_on_stderr(arguments: list[str], message: str) -> None:
    done = run(*arguments)
    assert done.exit_code == 2
    assert done.stderr.startswith("error: ")
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""


class Impatient(RandomAgent):
    """Presses Ctrl-C in a given game, counted by resets; the first reset is that of the warm-up."""

    def __init__(self, game: int) -> None:
        self._left = game + 2  # one reset comes from the constructor
        super().__init__("impatient")

    def reset(self, seed: int) -> None:
        super().reset(seed)
        self._left -= 1

    def act(self, game: Game) -> int:
        if self._left == 0 and game.round == 3:
            raise KeyboardInterrupt
        return super().act(game)


@pytest.mark.parametrize(("game", "setups"), [(1, 0), (3, 0), (4, 1), (9, 2)])
def test_ctrl_c_prints_the_setups_played_so_far(game: int, setups: int, monkeypatch: pytest.MonkeyPatch) -> None:
    def make_agent(name: str) -> Agent:
        return Impatient(game) if name == "impatient" else kit.Idler(name)

    monkeypatch.setattr(match, "make_agent", make_agent)
    done = run("impatient", "idler", "idler", "--games", "30")
    assert done.exit_code == 130
    assert done.stderr == f"interrupted after {setups} of 10 set-ups\n"
    assert ("mean score" in done.stdout) == (setups > 0)
    if setups:
        assert f"{3 * setups} games on" in done.stdout


def test_the_example_of_the_page_is_an_agent(capsys: pytest.CaptureFixture[str]) -> None:
    page = (ROOT / "docs" / "agents.md").read_text(encoding="utf-8")
    (program,) = re.findall(r"```python\n(.*?)```", page, flags=re.DOTALL)
    exec(compile(program, "docs/agents.md", "exec"), {"__name__": "example"})
    assert re.fullmatch(r"glutton wins \d+% of 30 games\n", capsys.readouterr().out)
