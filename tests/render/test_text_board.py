"""The text board shows what the state holds, and in the solitaire game what the Opposition did and why.

What it looks like stands in the files beside this one, a position each; ``python -m tests.render.regenerate`` writes
them. Here is what no file can say.
"""

from __future__ import annotations

import re

import pytest

from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.drawing.ansi import WIDTH, render, render_position
from endeavor_env.endeavor.game import Game
from endeavor_env.endeavor.opposition import Step, explain, explain_last
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.variants.solo.priority_list import TIE_NAMES
from endeavor_env.engine.players_info import PlayersInfo
from endeavor_env.envs.endeavor import make_endeavor_solo
from endeavor_env.envs.sampling import generator, sample_action
from endeavor_env.testing import replay_golden
from tests.kits.games import GAMES, GAMES_AND_SEEDS, finished, on_the_way, running
from tests.render.regenerate import BOARDS, HERE, file_of


@pytest.mark.parametrize("name", BOARDS)
def test_a_board_is_drawn_as_in_its_file(name: str) -> None:
    drawn, kept = BOARDS[name]().split("\n"), file_of(name).read_text(encoding="utf-8").split("\n")
    for number, (line, wanted) in enumerate(zip(drawn, kept, strict=False), start=1):
        assert line == wanted, f"line {number} of {file_of(name).name}"
    assert [*drawn, ""] == kept


def test_the_board_calls_the_seats_by_name_beside_the_numbers_of_their_discs() -> None:
    game = on_the_way(40, seed=4, players=4)
    plain = render(game, 0).split("\n")
    game.played = PlayersInfo.of(["Ada", "greedy", None, "Zo\u00eb"])
    text = render(game, 0)
    assert text.isascii()
    named = text.split("\n")
    at = next(number for number, line in enumerate(named) if line.startswith("     seat "))
    assert [line[5:13].strip() for line in named[at + 1 : at + 5]] == ["0 Ada", "1 greedy", "2", "3 Zo?"]
    assert [line[13:] for line in named[at : at + 5]] == [line[9:] for line in plain[at : at + 5]]
    assert {"Ada", "greedy", "Seat 2", "Zo?"} <= set(named)
    assert any(
        line.startswith(("Ada decides: ", "greedy decides: ", "Seat 2 decides: ", "Zo? decides: ")) for line in named
    )
    moves = text[text.index("Last moves: ") : text.index("     seat ")]
    assert {"Ada", "greedy", "seat 2", "Zo?"} == set(re.findall(r"(\w[\w ?]*?) build:", " ".join(moves.split())[12:]))


def test_the_solitaire_board_calls_the_player_by_name() -> None:
    game = running("solo", 10, 45)
    assert "\nThe player decides: " in render(game)
    game.played = PlayersInfo.of(["Ada"])
    text = render(game)
    assert "\nAda decides: " in text
    assert "\nAda\n  buildings: " in text
    assert re.search(r"\n  > +player Ada ", text)
    assert re.search(r"\nLast moves?: Ada ", text)
    assert "layer Opposition" not in text


def test_every_board_has_its_file_and_every_file_its_board() -> None:
    files = {path.stem for path in HERE.glob("*.txt")}
    assert files == set(BOARDS), "write missing files with: python -m tests.render.regenerate"


def test_the_files_show_each_kind_of_decision_and_every_way_of_deciding() -> None:
    text = " ".join(" ".join(file_of(name).read_text(encoding="utf-8").split()) for name in BOARDS)
    for words in (
        *("decides: build", "decides: remove", "decides: neutral", "decides: turn"),
        *("one option left", "the player chose of ", "the first of ", "the player is to choose 1 of "),
        *("nothing is feasible", "nothing useful is left (S4.3)", "Slavery is abolished", "passed", "in use)"),
        *("face down x2", "the player acts first", "the Opposition acts first", "Glory side", "Action side", "acting"),
        *("Tokens to be carried out, in this order: attack, pay", "takes no disc", "still takes a disc"),
    ):
        assert words.lower() in text.lower(), words


def test_every_tie_break_of_the_golden_games_is_put_into_words() -> None:
    games = (replay_golden(path) for path in (HERE.parent / "golden").glob("solo_*.txt"))
    text = " ".join(" ".join(render(game, 0).split()) for game in games)
    found = {name for name in TIE_NAMES.values() if re.search(rf"; {name}: [a-z][^;]+; ", text)}
    assert found == set(TIE_NAMES.values())


@pytest.mark.parametrize(("name", "seed"), [*((name, 3) for name in GAMES), *GAMES_AND_SEEDS[::4]])
def test_it_is_plain_text_of_moderate_width_and_changes_nothing(name: str, seed: int) -> None:
    for game in (running(name, seed, 70), finished(name, seed), Game.new(3, seed=seed, board=Board.generate(seed))):
        before = game.state.tobytes(), list(game.history)
        for text in (str(game), render(game, 0)):
            assert text.isascii()
            assert max(map(len, text.split("\n"))) <= WIDTH
            assert not text.endswith("\n")
        assert str(game) == render(game)
        assert (game.state.tobytes(), game.history) == before


@pytest.mark.parametrize("players", [3, 4, 5])
def test_the_glory_of_the_table_is_the_score_of_every_seat(players: int) -> None:
    for decisions in (40, 90, 150):
        game = on_the_way(decisions, seed=7, players=players)
        rows = re.findall(r"^  [> ][* ] +\d(?: +-?\d+){6} +(-?\d+)(?:  passed)?$", render(game), re.MULTILINE)
        assert [int(glory) for glory in rows] == game.scores()


# --- the moves shown ------------------------------------------------------------------------------------------------


def moves_shown(text: str) -> str:
    """Return the last moves, on one line."""
    lines = re.split(r"\n(?! )", text)
    (found,) = [" ".join(line.split()) for line in lines if line.startswith("Last move")]
    return found


@pytest.mark.parametrize("name", ["solo", "soloplay_2", "neutral_2"])
def test_the_moves_shown_are_those_since_a_look_and_at_least_the_last(name: str) -> None:
    game = finished(name, 7)
    seats = name != "solo"
    said = [f"seat {seat} {game.describe(action)}" if seats else game.describe(action) for seat, action in game.history]
    for since in (0, 1, 6, len(said) - 1):
        label = "Last moves" if len(said) - since > 1 else "Last move"
        assert moves_shown(render(game, since)).startswith(f"{label}: {', '.join(said[since:])}")
    for since in (None, len(said), len(said) + 5):
        assert render(game, since) == render(game, len(said) - 1)
    assert "Last move" not in render(Game.new(3, seed=1))


# --- what the Opposition did ----------------------------------------------------------------------------------------


def shown(text: str) -> list[str]:
    """Return who did what, of the steps of the Opposition that the text board shows."""
    block = text.partition("\nThe Opposition\n")[2]
    lines = block.split("\n")
    end = next((at for at, line in enumerate(lines) if not line.startswith("  ")), len(lines))
    return [line.strip() for line in lines[:end] if not line.startswith(" " * 6)]


def expected(steps: list[Step]) -> list[str]:
    """Put steps into words: when, which disc, for which token, and what it did."""
    return [
        (f"round {step.round}" if step.round else "set-up")
        + f", {'the Opposition' if step.colour == 'opposition' else step.colour}"
        + (f" (disc {step.position})" if step.position else "")
        + (f", {step.token} token" if step.token else "")
        + f": {'?' if step.asked else step.move or 'nothing'}"
        for step in steps
    ]


@pytest.mark.parametrize("name", ["solo", "solo, first", "solo, harder"])
def test_each_move_is_followed_by_what_the_opposition_did(name: str) -> None:
    """Drawn after every move, the steps shown are those of ``explain_last``."""
    game = finished(name, 10)
    here, count = Game.new(variant="solo", setup=game.setup(), options=game.options), 0
    for _, action in [(0, -1), *game.history][:30]:
        if action >= 0:
            here.apply(action)
        last = explain_last(here)
        assert shown(render(here)) == expected(last)
        count += len(last)
    assert count > 10


@pytest.mark.parametrize(("name", "seed"), GAMES_AND_SEEDS)
def test_a_whole_game_is_shown_from_the_set_up_on(name: str, seed: int) -> None:
    game = finished(name, seed)
    assert shown(render(game, 0)) == expected(explain(game))


def test_a_step_is_news_if_a_later_move_led_to_it_or_answered_it() -> None:
    game = finished("solo", 7)
    for since in (1, 6, len(game.history) - 1):
        steps = [s for s in explain(game) if s.after > since or (s.after == since and s.decided_by == "player")]
        assert shown(render(game, since)) == expected(steps)


def test_an_environment_shows_what_happened_since_the_last_look() -> None:
    env, rng = make_endeavor_solo(render_mode="ansi"), generator(2)
    env.reset(seed=10)
    assert shown(env.render() or "") == expected(explain(env.game()))
    seen = 0
    for stride in (1, 4, 9):
        for _ in range(stride):
            env.step(sample_action(env.action_masks(), rng))
        assert env.render() == render(env.game(), seen)
        seen = len(env.game().history)
        assert env.render() == render(env.game())


def test_the_acting_disc_is_marked() -> None:
    """An action, a token it won, and the bonus draw; nothing else is an act of a disc."""
    game = running("solo", 10, 20)
    state = game.state[0]
    for task, step, place in ((c.TASK_ACTION, 0, 1), (c.TASK_TOKEN, 1, 2), (c.TASK_BONUS, 0, int(state.ipf))):
        state.task, state.task_step = task, step
        scale = " ".join(render_position(game.board, game.state).partition("\nAction scale\n")[2].split())
        assert re.findall(r"(\d) \w+ \([^)]*acting\)", scale) == [str(place)]
    for task in (c.TASK_NONE, c.TASK_EUROPE, c.TASK_DISCARD, c.TASK_END_DISCARD):
        state.task = task
        assert "acting" not in render_position(game.board, game.state)
