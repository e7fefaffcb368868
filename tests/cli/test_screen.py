"""The screen of ``endeavor watch``."""

from __future__ import annotations

import io
import re
import time

import pytest
from rich.console import Console

from endeavor_env.cli import watch
from endeavor_env.cli.endeavor_view import screen_of
from endeavor_env.cli.tables import Seated, Setting, read_setting, sit_down
from endeavor_env.cli.views import shown_moves
from endeavor_env.endeavor.drawing.scene.theme import SIDES
from endeavor_env.endeavor.drawing.view import view_game
from endeavor_env.endeavor.game import Game, GameConfig
from endeavor_env.engine.players_info import PlayersInfo
from endeavor_env.errors import InvalidOptionError
from endeavor_env.testing import random_game


def text_of(game: Game, width: int = 80) -> str:
    """Return the screen of a position as a terminal of this width shows it, without colours."""
    console = Console(file=io.StringIO(), width=width)
    console.print(screen_of(view_game(game)))
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


@pytest.mark.parametrize("variant", ["standard", "solo", "soloplay_2", "soloplay_3", "neutral_2"])
def test_a_screen_of_eighty_columns_shows_everybody_and_every_disc(variant: str) -> None:
    whole = random_game(variant=variant, seed=3)
    game = whole.at_move(len(whole.history) // 2)
    game.played = PlayersInfo.of([f"agent{seat}" for seat in range(game.num_players)])
    view = view_game(game)
    text = text_of(game)
    lines = text.splitlines()
    assert all(len(line) <= 80 for line in lines)
    assert f"round {view.round} of {view.num_rounds}" in lines[0]
    for seat in range(game.num_players):
        assert re.search(rf" ({seat}|. {view.mats[seat].name})( <)? +agent{seat} ", text)
    last = game.history[-1][0]
    assert re.search(rf"^[0-4W] agent{last} ", text, re.MULTILINE)
    for region in view.regions:
        (row,) = (line for line in lines if line.startswith(f" {view.board.names[region.id]} "))
        spaces = [*region.track, *(city.space for city in region.cities)]
        signs = row.removeprefix(f" {view.board.names[region.id]} ").split()
        owners = [SIDES[space.owner].letter for space in spaces if space.owner is not None]
        assert [sign for sign in signs if sign not in "○·"] == owners


def test_the_screen_shows_each_step_and_waits_between_them(monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    monkeypatch.setattr(time, "sleep", waits.append)
    screen = io.StringIO()
    monkeypatch.setattr(watch, "terminal", lambda: Console(file=screen, force_terminal=True, width=100, height=60))
    seated = sit_down(Setting(["random"] * 3, GameConfig(players=3), 2))
    watch.watch_screen(seated, "round", 0.25)
    assert seated.game.over
    assert waits.count(0.25) == len(shown_moves(seated.game, "round")) - 1
    assert "over after 7 rounds" in screen.getvalue()


def test_games_are_drawn_and_agents_seeded_by_the_seed() -> None:
    def history(seed: int) -> list[tuple[int, int]]:
        seated: Seated = sit_down(Setting(["random"] * 3, GameConfig(players=3), seed))
        watch.play(seated)
        return seated.game.history

    assert history(4) == history(4)
    assert history(4) != history(5)


def test_a_whole_game_is_one_text() -> None:
    text = "exploits:players=3,exploits=voc+sun,board=generated_3"
    for seats in (None, ["random"] * 3):
        seated = sit_down(read_setting(seats, "standard", 1, None, None, None, text))
        assert seated.game.config == GameConfig("exploits", 3, "generated_3", exploits=["sun", "voc"])


def test_a_text_without_a_number_of_seats_leaves_it_to_the_seats_that_are_named() -> None:
    for text in ("standard", "standard:board=generated_3"):
        for seats, players in ((None, 4), (["random"] * 3, 3)):
            assert read_setting(seats, "standard", 1, None, None, None, text).config.players == players


def test_the_heuristic_sits_everywhere_unless_somebody_else_is_named() -> None:
    game = sit_down(read_setting(None, "standard", 1, "generated_3", None, None)).game
    assert isinstance(game, Game)
    assert [mat.title for mat in view_game(game).mats] == ["greedy", "greedy#2", "greedy#3", "greedy#4"]
    assert game.board.id == "generated_3"
    with pytest.raises(InvalidOptionError, match="players=2 does not fit variant 'solo'"):
        read_setting(["random"] * 2, "solo", 1, None, None, None)
