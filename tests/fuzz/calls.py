"""The calls that ``test_calls`` makes with wrong values: which object each is made on, and how to use it afterwards."""

from __future__ import annotations

import functools
import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from endeavor_env.endeavor import notation
from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.drawing import ansi
from endeavor_env.endeavor.game import Game
from endeavor_env.endeavor.observation import LAYOUT, describe, layout_for, observe, to_state
from endeavor_env.endeavor.opposition import explain, explain_last, explain_since
from endeavor_env.endeavor.options import check_options
from endeavor_env.endeavor.records import read_record, replay, write_record
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.setups import check_players, read_setup
from endeavor_env.envs.sampling import generator, sample_action
from endeavor_env.errors import shown
from endeavor_env.testing import check_state, random_game


def _nothing(rng: random.Random) -> None:
    """Prepare nothing."""


def _no_use(subject: Any, rng: random.Random) -> None:
    """Do nothing more."""


def _no_state(subject: Any) -> object:
    return None


@dataclass(frozen=True)
class Target:
    """One call."""

    group: str
    """What it belongs to; outcomes are counted by it."""
    name: str
    call: Callable[[Any, Any], object]
    """Make the call on what was prepared, with the wrong value."""
    prepare: Callable[[random.Random], Any] = _nothing
    """Make what the call is made on."""
    state: Callable[[Any], object] = _no_state
    """Return what a refused call must not change, comparable."""
    go_on: Callable[[Any, random.Random], None] = _no_use
    """Check that the prepared object still works."""
    documented: tuple[type[Exception], ...] = ()
    """Errors beside those of the package that the documentation of the call names."""


# --- games ----------------------------------------------------------------------------------------------------------
@functools.cache
def _walked(number: int) -> Game:
    """Return one of a few games on the way."""
    return random_game(variant=c.VARIANT_NAMES[number % 5], seed=number, decisions=(0, 9, 60, 120, 5000)[number // 5])


def a_game(rng: random.Random) -> Game:
    """Return a game of any variant, at its start, on the way or over."""
    return _walked(rng.randrange(25)).clone()


def game_state(game: Game) -> object:
    return game.state.tobytes(), tuple(game.history), game.seed


def play_on(game: Game, rng: random.Random) -> None:
    """Check the position and play some legal moves."""
    check_state(game)
    for _ in range(5):
        if not game.over:
            game.apply(rng.choice(game.legal_actions()))
    check_state(game)


def new_game(argument: str) -> Target:
    """Return the call of ``Game.new`` with one wrong argument."""

    def call(_: Any, given: Any) -> None:
        play_on(Game.new(**{argument: given}), random.Random(1))

    return Target("Game", f"Game.new({argument}=)", call)


def of_game(name: str, call: Callable[[Any, Any], object], group: str = "Game") -> Target:
    """Return a call on a game."""
    return Target(group, name, call, a_game, game_state, play_on)


ARGUMENTS = ("players", "variant", "seed", "setup", "board", "exploits", "options")
GAMES = (
    *(new_game(argument) for argument in ARGUMENTS),
    of_game("Game.apply", lambda game, given: game.apply(given)),
    of_game("Game.play", lambda game, given: game.play(given)),
    of_game("Game.encode", lambda game, given: game.encode(given)),
    of_game("Game.describe", lambda game, given: game.describe(given)),
    of_game("Game.breakdown", lambda game, given: game.breakdown(given)),
    Target("Game", "check_options", lambda _, given: check_options(given, "solo")),
    Target("Game", "check_players", lambda _, given: check_players(given, "standard")),
    Target("Game", "check_players(variant)", lambda _, given: check_players(None, given)),
    Target("Game", "read_setup", lambda _, given: read_setup(Board.default(), 1, given, "solo")),
    Target("notation", "to_text", lambda _, given: notation.to_text(Board.default(), given)),
    Target("notation", "to_action", lambda _, given: notation.to_action(Board.default(), given)),
    Target("notation", "blocks", lambda _, given: notation.blocks(given)),
)


# --- a set-up with one wrong part -----------------------------------------------------------------------------------
def wrong_setup(part: str, variant: str) -> Target:
    """Return the call of ``Game.new`` with a set-up of which one part is wrong."""

    def call(_: Any, given: Any) -> None:
        setup = Game.new(variant=variant, seed=3).setup()
        play_on(Game.new(variant=variant, setup={**setup, part: given}), random.Random(1))

    return Target("Game", f"Game.new(setup of {variant} with {part}=)", call)


def wrong_token(_: Any, given: Any) -> None:
    """Start a game with one wrong token."""
    setup = Game.new(seed=3).setup()
    play_on(Game.new(setup={**setup, "tokens": {**setup["tokens"], "london": given}}), random.Random(1))


SETUPS = (
    *(wrong_setup(part, "solo") for part in ("tokens", "grid", "scale", "track_discs", "europe_order", "first_player")),
    wrong_setup("first_player", "standard"),
    wrong_setup("colour", "neutral_2"),
    Target("Game", "Game.new(setup with one token=)", wrong_token),
)


# --- boards and records ---------------------------------------------------------------------------------------------
def wrong_part(section: str) -> Target:
    """Return the call of ``Board.from_dict`` with one wrong section."""
    return Target(
        "Board", f"Board.from_dict({section}=)", lambda _, v: Board.from_dict({**Board.default().to_dict(), section: v})
    )


def content_of(given: Any) -> bytes:
    """Return what a file may hold."""
    if isinstance(given, bytes | bytearray):
        return bytes(given)
    return (given if isinstance(given, str) else shown(given)).encode("utf-8", "surrogatepass")


def load_text(_: Any, given: Any) -> None:
    """Load a board file with any content."""
    Path("any.toml").write_bytes(content_of(given))
    Board.load("any.toml")


def wrong_file(_: Any, given: Any) -> None:
    """Read a record file with any content."""
    Path("any.json").write_bytes(content_of(given))
    read_record("any.json")


def write_and_read(game: Game, given: Any) -> None:
    """Write a record to any path and read it again."""
    write_record(game, given)
    assert read_record(given) == game.record()


BOARDS = (
    Target("Board", "Board.resolve", lambda _, given: Board.resolve(given)),
    Target("Board", "Board.load", lambda _, given: Board.load(given)),
    Target("Board", "Board.generate", lambda _, given: Board.generate(given)),
    Target("Board", "Board.from_dict", lambda _, given: Board.from_dict(given)),
    Target("Board", "a board file", load_text),
    Target("records", "a record file", wrong_file),
    *(wrong_part(section) for section in ("id", "regions", "cities", "decks", "buildings", "tokens", "constants")),
    Target("records", "read_record", lambda _, given: read_record(given)),
    Target("records", "replay", lambda _, given: replay(given)),
    of_game("replay(board=)", lambda game, given: replay(game.record(), board=given), "records"),
    of_game("write_record", write_and_read, "records"),
    Target("records", "write_record(game=)", lambda _, given: write_record(given, "game.json")),
)


# --- observations, explanations, drawings ---------------------------------------------------------------------------
def edited_vector(kind: str, use: Callable[[Any], object]) -> Callable[[Any, Any], object]:
    """Return a call of ``use`` with an observation of which one entry is wrong."""

    def call(game: Game, given: Any) -> None:
        vector = observe(game, observation=kind)
        vector = vector.astype(np.int64) if kind == "compact" and isinstance(given, int) else vector
        at = given % vector.size if isinstance(given, int) else len(type(given).__name__)
        try:
            vector[at] = given
        except Exception:  # NumPy takes no such entry
            return
        use(vector)

    return call


def solo_game(rng: random.Random) -> Game:
    return _walked(rng.choice((1, 6, 11, 16, 21))).clone()


OBSERVING = (
    Target("observation", "observe", lambda _, given: observe(given)),
    of_game("observe(seat=)", lambda game, given: observe(game, given), "observation"),
    of_game("observe(observation=)", lambda game, given: observe(game, observation=given), "observation"),
    Target("observation", "to_state", lambda _, given: to_state(given)),
    Target("observation", "describe", lambda _, given: describe(given)),
    of_game("describe(board=)", lambda game, given: describe(observe(game), given), "observation"),
    of_game("describe features", edited_vector("features", describe), "observation"),
    of_game("describe compact", edited_vector("compact", describe), "observation"),
    of_game("to_state of a wrong entry", edited_vector("compact", to_state), "observation"),
    Target("observation", "layout_for", lambda _, given: layout_for(given, "compact")),
    Target("observation", "layout_for(observation)", lambda _, given: layout_for("solo", given)),
    Target("observation", "Layout[]", lambda _, given: LAYOUT.features[given]),
    Target("observation", "Layout.view", lambda _, given: LAYOUT.features.view(given, "round")),
    Target("observation", "Layout.unpack", lambda _, given: LAYOUT.compact.unpack(given)),
    Target("opposition", "explain", lambda _, given: explain(given)),
    Target("opposition", "explain_last", lambda _, given: explain_last(given)),
    Target("opposition", "explain_since(moves)", explain_since, solo_game, game_state, play_on),
    Target("render", "render", lambda _, given: ansi.render(given)),
    of_game("render(since)", ansi.render, "render"),
    Target("sampling", "generator", lambda _, given: generator(given)),
    Target("sampling", "sample_action", lambda _, given: sample_action(given, generator(1))),
    of_game("sample_action(rng)", lambda game, given: sample_action(game.mask(), given), "sampling"),
    Target("testing", "random_game(seed)", lambda _, given: random_game(seed=given)),
    Target("testing", "random_game(redraws)", lambda _, given: random_game(redraws=given, decisions=9)),
    Target("testing", "random_game(decisions)", lambda _, given: random_game(decisions=given)),
)
OWN = (*GAMES, *SETUPS, *BOARDS, *OBSERVING)
