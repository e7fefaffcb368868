"""The command line of the arena: its table, boards, variants and number of games."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from endeavor_env import Board
from endeavor_env.agents.matches import play_match
from tests.kits.commands import run_command

ROOT = Path(__file__).resolve().parents[2]


def run(*arguments: str) -> str:
    """Return what the command prints, which goes well."""
    done = run_command("endeavor_env.agents.arena", *arguments)
    assert (done.status, done.err) == (0, "")
    return done.out


def test_prints_the_table_of_the_match() -> None:
    done = run("greedy", "random", "random", "--games", "6", "--seed", "5")
    expected = play_match(["greedy", "random", "random"], games=6, seed=5)
    rows = re.findall(r"│ (\S+) +│ +(\S+)% │ +(\S+)% to +(\S+)% │ +(\S+) ± (\S+) │ +(\S+) │", done)
    assert [row[0] for row in rows] == ["greedy", "random", "random#2"]
    for row, agent in zip(rows, expected.agents, strict=True):
        shown = [float(number) for number in row[1:]]
        low, high = agent.interval
        wanted = [100 * agent.win_rate, 100 * low, 100 * high, agent.mean_score, agent.score_sd, agent.mean_rank]
        assert shown == pytest.approx(wanted, abs=0.051)
    assert "6 games on endeavor_2009, 2 set-ups in 3 seatings each, seed 5" in done
    assert re.search(r"[\d.]+ games/s, \d+ decisions/s, \d+ decisions a game\n$", done)


def test_plays_on_another_board(tmp_path: Path) -> None:
    file = tmp_path / "my_board.toml"
    file.write_text(Board.generate(4).to_toml(), encoding="utf-8")
    for board in (str(file), "generated_4"):
        done = run("random", "random", "random", "--games", "3", "--board", board)
        assert "3 games on generated_4" in done


def test_plays_a_variant_with_its_options() -> None:
    option = "variant_removed_spaces_stay=true"
    done = run("greedy", "automa", "--variant", "soloplay_2", "--games", "4", "--seed", "2", "--option", option)
    title = "4 games of soloplay_2 on endeavor_2009, 2 set-ups in 2 seatings each, seed 2"
    assert title in " ".join(done.split())
    options = {"variant_removed_spaces_stay": True}
    expected = play_match(["greedy", "automa"], games=4, seed=2, variant="soloplay_2", options=options)
    for agent in expected.agents:
        assert f"{agent.mean_score:.1f} ± {agent.score_sd:.1f}" in done


@pytest.mark.parametrize(("players", "games"), [(3, 402), (4, 400), (5, 400)])
def test_games_by_default(players: int, games: int) -> None:
    assert f"{games} games on" in run(*["random"] * players)


def test_the_example_of_the_page_is_an_agent(capsys: pytest.CaptureFixture[str]) -> None:
    page = (ROOT / "docs" / "agents.md").read_text(encoding="utf-8")
    (program,) = re.findall(r"```python\n(.*?)```", page, flags=re.DOTALL)
    exec(compile(program, "docs/agents.md", "exec"), {"__name__": "example"})
    assert re.fullmatch(r"glutton wins \d+% of 30 games\n", capsys.readouterr().out)
