"""Write the text boards that the tests compare with: ``python -m tests.render.regenerate``.

Names after it choose some of them. Do so only when the drawing was changed on purpose, and read the difference before
keeping it. The positions are chosen so that together they show everything a text board can show.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from endeavor_env.endeavor.drawing.ansi import render, render_position
from endeavor_env.endeavor.game import Game
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.envs.endeavor import make_endeavor, make_endeavor_solo
from endeavor_env.envs.gym_env import GameEnv
from tests.kits.games import finished, on_the_way, running
from tests.render.exploit_boards import EXPLOIT_BOARDS

HERE = Path(__file__).resolve().parent


def file_of(name: str) -> Path:
    """Return where the text board of this name is kept."""
    return HERE / f"{name}.txt"


def put(game: Game, side: int, *cities: str) -> None:
    """Give cities to a side, without any rule."""
    for city in cities:
        game.state[0].city_owner[game.board.cities.index(city)] = side


def rare_in_the_base_game() -> str:
    """Slavery is abolished, cards lie face down or have left the game, discs lie beside a track, seats have passed."""
    game = on_the_way(60, seed=5, players=3)
    state, cards = game.state[0], game.board.cards
    state.abolished = 1
    state.beside[2, 1], state.beside[0, 1] = 3, 1
    state.passed[:3] = 1, 0, 1
    places = (c.CARD_FACE_DOWN, c.CARD_FACE_DOWN, c.CARD_OUT_OF_GAME, 1, c.CARD_FACE_DOWN + 2)
    for card, place in zip(("slavery.0", "slavery.1", "slavery.2", "slavery.3", "slavery.4"), places, strict=True):
        state.card_place[cards.index(card)] = place
    return render(game)


def question_of_the_set_up() -> str:
    """The player is asked which token leaves Europe (S1.9): a question without a colour."""
    seeds = (Game.new(variant="solo", seed=seed) for seed in range(30))
    return render(next(game for game in seeds if game.phase == "setup" and "remove:" in game.legal_moves()[0]))


def question_about_a_disc(answer: bool) -> str:
    """The player is asked what a disc of the Opposition does, or has just answered."""
    game = running("solo", 10, 20)
    while game.decision != "opposition":
        game.play(game.legal_moves()[0])
    if answer:
        game.play(game.legal_moves()[1])
    return render(game)


def rare_on_the_opposition_s_mat() -> str:
    """Cards it discarded or set aside, a card out of the game, a token that waits, discs beside a track, a tile due."""
    game = running("solo", 7, 40)
    state, board = game.state[0], game.board
    for card, place in (
        ("africa.governor", c.CARD_RETAINED),
        ("india.governor", c.CARD_OUT_OF_GAME),
        ("slavery.2", c.CARD_FACE_DOWN + c.OPPOSITION),
    ):
        state.card_place[board.cards.index(card)] = place
    state.pending[3] = board.buildings.index("university")
    state.beside[4, 1], state.beside[0, 1] = 2, 1
    state.bonus_due = state.opposition_first = 1
    state.num_waiting = 2
    state.waiting_kind[:2] = c.TOKEN_PAY, c.TOKEN_ATTACK
    state.task, state.task_step = c.TASK_TOKEN, 1
    return render_position(board, game.state)


def won_with_panache() -> str:
    """A total victory and a building of level 5 (S8.4)."""
    game = finished("solo", 7)
    state = game.state[0]
    state.status[0], state.status[1] = 15, 0
    state.city_owner[state.city_owner > 1] = 0
    state.buildings[0, game.board.buildings.index("museum")] = 1
    return render(game)


def tokens_to_remove() -> str:
    """SoloPlay's set-up, a token removed and another asked for (V2S.4)."""
    game = Game.new(variant="soloplay_2", seed=1)
    game.play(game.legal_moves()[0])
    return render(game)


def neutral_disc_to_place() -> str:
    """A seat is asked where a disc of its neutral side goes (V2F.2); neutral discs beside a track control nothing."""
    game = running("neutral_2", 3, 40)
    while game.decision != "neutral":
        game.play(game.legal_moves()[0])
    game.state[0].beside[3, 1] = 1
    return render(game)


def neutral_discs_that_left() -> str:
    """Neutral discs attacked (V2S.13), beside a track, and at both ends of a connection (V2S.10)."""
    game = running("soloplay_3", 3, 90)
    game.state[0].supply[3] = 2
    game.state[0].beside[3, 1], game.state[0].beside[2, 1] = 2, 1
    put(game, 3, "london", "amsterdam")
    put(game, 1, "paris", "lisbon")
    return render(game)


def since_the_last_look(env: GameEnv | GameEnv, **options: Any) -> str:
    """What an environment draws after three moves, drawn before."""
    env.reset(seed=10, options=options)
    env.render()
    for _ in range(3):
        env.step(int(env.action_masks().argmax()))
    return env.render() or ""


BOARDS: dict[str, Callable[[], str]] = {
    "base_opening": lambda: render(Game.new(3, seed=1)),
    "base_three_seats": lambda: render(on_the_way(90, seed=7, players=3)),
    "base_five_seats": lambda: render(on_the_way(150, seed=7, players=5)),
    "base_generated_board": lambda: render(on_the_way(100, seed=2, players=4, board="generated_7")),
    "base_rare": rare_in_the_base_game,
    "base_over": lambda: render(on_the_way(10_000, seed=3, players=4), 0),
    "solo_set_up_question": question_of_the_set_up,
    "solo_options": lambda: render(running("solo, all options", 10, 0)),
    "solo_question": lambda: question_about_a_disc(answer=False),
    "solo_answer": lambda: question_about_a_disc(answer=True),
    "solo_halfway": lambda: render(running("solo", 10, 45), 40),
    "solo_rare": rare_on_the_opposition_s_mat,
    "solo_over": lambda: render(finished("solo", 10), 0),
    "solo_over_ties_first": lambda: render(finished("solo, first", 0), 0),
    "solo_over_harder": lambda: render(finished("solo, harder", 7), 0),
    "solo_panache": won_with_panache,
    "solo_environment": lambda: since_the_last_look(make_endeavor_solo(render_mode="ansi")),
    "soloplay_2_removals": tokens_to_remove,
    "soloplay_2_over": lambda: render(finished("soloplay_2", 3)),
    "soloplay_2_spaces_stay": lambda: render(running("soloplay_2, spaces stay", 3, 60)),
    "soloplay_3_rare": neutral_discs_that_left,
    "neutral_2_disc_to_place": neutral_disc_to_place,
    "neutral_2_over": lambda: render(finished("neutral_2", 3)),
    "neutral_2_environment": lambda: since_the_last_look(
        make_endeavor(variant="neutral_2", render_mode="ansi", learner_seat=1), first_player=0
    ),
    **EXPLOIT_BOARDS,
}


def main(names: Sequence[str]) -> None:
    """Write the text boards of these names, all if there are none."""
    for name in names or BOARDS:
        file_of(name).write_text(BOARDS[name]() + "\n", encoding="utf-8")
        print(f"wrote {file_of(name).name}")


if __name__ == "__main__":
    main(sys.argv[1:])
