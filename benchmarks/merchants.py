"""``endeavor bench merchants``: the speed of Merchants of Europe: rules, observations, Python, batches of games."""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence
from itertools import product

import numpy as np
import typer

from endeavor_env.agents.command_line import command_line
from endeavor_env.agents.results_file import JsonFile
from endeavor_env.benchmarks.batch_play import SELF_PLAY, BatchSetting, EnvTurns
from endeavor_env.benchmarks.command import Force, Smoke, exit_status, measure_in_turn, new_app
from endeavor_env.benchmarks.report import Figure, Section, publish
from endeavor_env.benchmarks.timing import FULL, SMOKE, Effort, in_turns
from endeavor_env.engine.game import GameConfig
from endeavor_env.engine.kernels import playouts
from endeavor_env.engine.kernels.parts import BATCH, SINGLE
from endeavor_env.engine.kernels.players import NOBODY, SEAT_RANDOM
from endeavor_env.engine.kernels.rules import MAX_SEATS
from endeavor_env.kernels.loading.once import ensure_parts
from endeavor_env.merchants.board import load_board
from endeavor_env.merchants.declaration import GYMNASIUM_ID
from endeavor_env.merchants.game import MerchantsGame
from endeavor_env.merchants.game_rules import rules_for
from endeavor_env.merchants.rules import constants as c
from endeavor_env.merchants.rules.board_record import board_record
from endeavor_env.merchants.rules.parts import MERCHANTS

KINDS = tuple(product(c.SIDE_NAMES, (c.MIN_SEATS, c.MAX_SEATS)))
"""The sides of the board, each with three and with four seats."""
GAMES = 1_024
"""Games of a batch."""
MOST_DECISIONS = 1_000_000
"""More than a game has."""

app = new_app()


class MerchantsGames:
    """Random games of one kind on a declared board, from the first decision on."""

    def __init__(self, side: str, players: int) -> None:
        """Begin a game, and make scratch arrays."""
        board = load_board(side)
        self.game = GameConfig(rules_for(board), players, side, board_record(board)).new_game(1)
        self.given = self.game.rules.given(self.game.config.board_array, self.game.state)
        self.mask = np.zeros(self.game.mask().size, np.int8)
        self.scratch, self.rng = np.zeros(self.given[2].shape[1], np.int64), np.zeros(1, np.uint64)
        self.seed = 0

    def play_games(self, games: int = 20) -> int:
        """Play games to their end in the compiled loop, with the full mask at every decision; return the decisions."""
        scores, made = np.zeros((games, MAX_SEATS), np.int16), np.zeros(games, np.int32)
        ended, seeds = np.zeros(games, np.int8), np.array([self.seed], np.int64)
        self.seed += 1
        everybody = np.full(MAX_SEATS, SEAT_RANDOM)
        playouts.rollout(
            *self.given, seeds, games, MOST_DECISIONS, self.scratch, self.rng, self.mask, scores, made, ended, 0, games,
            everybody, NOBODY,
        )  # fmt: skip
        return int(made.sum())

    def observe(self, observation: str, times: int = 2_000) -> int:
        """Write an observation of a position again and again; return how often."""
        for _ in range(times):
            self.game.observe(0, observation)
        return times


def play(effort: Effort) -> list[Section]:
    """Measure random legal play; the kinds of game take turns."""
    benches = {f"{side}, {players} seats": MerchantsGames(side, players) for side, players in KINDS}
    found = in_turns({label: bench.play_games for label, bench in benches.items()}, effort)
    decisions = [Figure.of(label, "decisions/s", speeds) for label, speeds in found.items()]
    times = [Figure.of(label, "ns", [1e9 / speed for speed in speeds]) for label, speeds in found.items()]
    return [
        Section("Merchants of Europe: random legal play, full mask at every decision, one core", decisions),
        Section("The same: time of a decision, chance included", times),
    ]


def observe(effort: Effort) -> list[Section]:
    """Measure observations as Python gets them."""
    bench = MerchantsGames("expert", c.MAX_SEATS)
    found = in_turns({name: lambda name=name: bench.observe(name) for name in ("features", "compact")}, effort)
    figures = [Figure.of(name, "ns", [1e9 / speed for speed in speeds]) for name, speeds in found.items()]
    return [Section("Merchants of Europe: an observation as Python gets it, expert side, 4 seats", figures)]


def play_in_python(effort: Effort) -> list[Section]:
    """Measure a loop in Python: legal actions, a random one of them, the move, which is checked and kept."""
    draw = random.Random(1)

    def play_game() -> int:
        game, made = MerchantsGame.new(seed=draw.getrandbits(30)), 0
        while not game.over:
            legal = game.legal_actions()
            game.apply(legal[int(draw.random() * len(legal))])
            made += 1
        return made

    found = in_turns({"short, 4 seats": play_game}, effort)
    figures = [Figure.of(label, "decisions/s", speeds) for label, speeds in found.items()]
    return [Section("Merchants of Europe: `MerchantsGame`, a loop in Python, one core", figures)]


def play_batches(effort: Effort) -> list[Section]:
    """Measure the vector environment, in which the caller makes the decisions of all seats."""
    settings = [BatchSetting("make_vec", SELF_PLAY, observation, GAMES, 1) for observation in ("compact", "features")]
    works = {setting.label: EnvTurns(setting, game=GYMNASIUM_ID) for setting in settings}
    try:
        found = in_turns({label: work.turn for label, work in works.items()}, effort)
    finally:
        for work in works.values():
            work.close()
    figures = [Figure.of(label, "decisions/s", speeds) for label, speeds in found.items()]
    return [Section("`gymnasium.make_vec`, Merchants of Europe, self-play", figures)]


@app.command()
def command(smoke: Smoke = False, json_file: JsonFile = None, force: Force = False) -> None:
    """Measure the speed of Merchants of Europe, and print the figures as Markdown."""
    with command_line(json_file, force):
        effort = SMOKE if smoke else FULL
        ensure_parts(BATCH, SINGLE, MERCHANTS)
        sections, status = measure_in_turn(
            [lambda part=part: part(effort) for part in (play, observe, play_in_python, play_batches)]
        )
        if sections:
            publish(json_file, "endeavor_env.benchmarks.merchants", "Merchants of Europe", sections)
    raise typer.Exit(status)


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the command line, run, and return the exit status."""
    return exit_status(app, "endeavor_env.benchmarks.merchants", arguments)


if __name__ == "__main__":
    sys.exit(main())
