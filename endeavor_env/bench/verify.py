"""``endeavor bench verify row.json``: replay the records of a row, play some games again, say whether it is true."""

from __future__ import annotations

import sys
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from rich.progress import track

from endeavor_env import Game
from endeavor_env.agents.command_line import command_line, start
from endeavor_env.agents.runner import by_agent
from endeavor_env.agents.terminal import print_line, terminal
from endeavor_env.basics.files import read_json_object
from endeavor_env.bench.frozen import check_behaviour, check_weights
from endeavor_env.bench.games import RunOptions, UnitPlayer, read_moves
from endeavor_env.bench.rows import RowError, TaskScore, check_row
from endeavor_env.bench.run import Hidden
from endeavor_env.bench.submissions import agent_of_hash, check_plays, hidden_players, runs_code, submission_hash
from endeavor_env.bench.version import Version, config_of, seed_of, version_one
from endeavor_env.endeavor.ensure import ensure_compiled
from endeavor_env.engine.game import game_for
from endeavor_env.errors import EndeavorError, IllegalActionError, InvalidOptionError, named

__all__ = ["app"]

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command()
def main(
    row: Annotated[list[Path], typer.Argument(help="Rows, as `endeavor bench score --row` writes them.")],
    agent: Annotated[
        str | None,
        typer.Option(help="Where the submission is, if not where the row says; a row's own code is not run."),
    ] = None,
    games: Annotated[int, typer.Option(help="Games of each task to play again.", min=0)] = 6,
    seed: Annotated[int | None, typer.Option(help="Draws them; left out, others each time.", min=0)] = None,
    task: Annotated[list[str] | None, typer.Option(help="Play games of this task alone; repeatable.")] = None,
    hidden: Hidden = None,
) -> None:
    """Say whether rows are true: status 0 if they are, or 2 and one sentence that says what is not."""
    with command_line():
        version = version_one()
        tasks = [one.name for one in version.chosen(task or ["all"])]
        ensure_compiled()
        check_weights(version)
        check_behaviour(version)
        known = hidden_players(hidden, version.tasks.values())
        for file in row:
            verifier = Verifier(read_json_object(file, "row", RowError), agent, known)
            if not set(tasks) & set(verifier.scores):
                raise InvalidOptionError(f"{file} has no games of {' and '.join(tasks)}")
            records = len(list(_watched(verifier.records(tasks), f"{file.name}: records")))
            why_not = verifier.why_not_again()
            again = 0 if why_not else len(list(_watched(verifier.again(games, seed, tasks), f"{file.name}: games")))
            print_line(f"{file}: true; {records} records replayed, {again} games played again")
            if why_not:
                print_line(why_not)


def _watched(places: Iterator[Place], what: str) -> Iterator[Place]:
    """Yield the places with a progress line on stderr."""
    hidden = not sys.stderr.isatty()
    yield from track(places, what, console=terminal(stderr=True), disable=hidden, transient=True)


# --- The verification of a row: records are replayed, other players asked again, and some games played again ----------


@dataclass(frozen=True)
class Place:
    """One game of a row."""

    task: str
    field: str
    setup: int
    seating: int

    def __str__(self) -> str:
        """Return what messages call it."""
        return f"game {self.setup}.{self.seating} of {self.task} against {self.field}"


class Verifier:
    """Checks a row against the rules and the players at hand.

    A row is a file from others: programs and classes that it names are not run unless the user names them as well.
    """

    def __init__(
        self,
        row: Mapping[str, Any],
        agent: str | None = None,
        hidden: Mapping[tuple[str, str], str] | None = None,
        version: Version | None = None,
    ) -> None:
        """Check the row itself.

        Args:
            row: The row, as JSON values.
            agent: Where the submission is, if not where the row says.
            hidden: The names of the hidden players, for those who have them.
            version: The version of the benchmark; version 1 if left out.

        Raises:
            RowError: It does not agree with itself or with the version of the benchmark.
        """
        self.row, self.scores = row, check_row(row, version)
        self._hidden, tasks = hidden or {}, [one.task for one in self.scores.values()]
        variants = {task.config.variant for task in tasks}
        self._code = not agent and runs_code(row["agent"])
        agent = row["agent"] if self._code else agent  # no file of a program is looked for, nor read
        self._agents = {one: agent or agent_of_hash(row["agent"], one, row["hashes"][one]) for one in variants}
        settings = {one: RunOptions(self._agents[one], row["play"], row["seed"], self._hidden) for one in variants}
        self._players = {one: UnitPlayer(tasks, settings[one]) for one in variants}

    def records(self, tasks: Container[str] | None = None) -> Iterator[Place]:
        """Replay the games whose moves the row has; yield each that is true.

        Every player but the submission is asked again and must make the same move, and the scores must be those of the
        row. Games against hidden players are replayed only, without those players.

        Args:
            tasks: Only the games of these tasks; None for all.

        Raises:
            RowError: A game is not true.
        """
        for name, score in self._scores_of(tasks).items():
            for one in self.row["tasks"][name]["sample"]:
                place = Place(name, one["field"], one["setup"], one["seating"])
                self._replay(score, place, read_moves(one["moves"]))
                yield place

    def _scores_of(self, tasks: Container[str] | None) -> dict[str, TaskScore]:
        return {name: score for name, score in self.scores.items() if tasks is None or name in tasks}

    def _replay(self, score: TaskScore, place: Place, moves: list[int]) -> None:
        task, others = score.task, None
        if self._can_play(score, place.field):
            others = self._players[task.config.variant].others(task, place.field, place.setup, place.seating)
        game = config_of(task, place.setup).new_game(seed_of(task, place.setup))
        for number, move in enumerate(moves):
            seat = game.seat
            position = (seat - place.seating) % task.seatings
            other = others[position - 1] if others is not None and position and seat >= 0 else None
            if other is not None and other.act(game_for(other, game)) != move:
                raise RowError(f"move {number} of {place} is not the one that {place.field} makes there")
            _apply(game, move, place)
        if not game.over:
            raise RowError(f"{place} is not played to its end")
        self._check_scores(score, place, by_agent(game.scores(), place.seating))

    def _check_scores(self, score: TaskScore, place: Place, scores: list[int]) -> None:
        """Raise RowError unless a game has the scores that the row says."""
        stored = score.fields[place.field].scores[place.setup, place.seating].tolist()
        if stored != scores:
            raise RowError(f"{place} ends with {scores}: the row says {stored}")

    def why_not_again(self) -> str:
        """Return why games cannot be played again, in one sentence; "" if they can."""
        if not self.row["repeats"]:
            said = named(self.row["agent"])
            return f"{said} does not make the same moves again: its games are replayed, not played again"
        if self._code:
            return self._why_not_run()
        try:
            for variant, agent in self._agents.items():
                if submission_hash(agent, variant) != self.row["hashes"][variant]:
                    return f"{named(agent)} is not made of the files here that the row says: give --agent"
            for name, score in self.scores.items():
                check_plays(self._agents[score.task.config.variant], {name: score.task.config})
        except (EndeavorError, OSError) as error:
            return f"the submission is not here, so that its games were not played again: {error}"
        return ""

    def _why_not_run(self) -> str:
        """Return why the agent that the row names is not made."""
        said = named(self.row["agent"])
        return f"{said} is code, which no row may have run: its games are replayed, and --agent plays them again"

    def again(self, games: int, seed: int | None = None, tasks: Container[str] | None = None) -> Iterator[Place]:
        """Play some games again, drawn from all of the row; yield each that is true.

        Args:
            games: How many of each task.
            seed: Draws them; None for others each time.
            tasks: Only the games of these tasks; None for all.

        Raises:
            RowError: A game ends otherwise than the row says, or the row names code that the user has not named.
        """
        if self._code:
            raise RowError(self._why_not_run())
        rng = np.random.default_rng(seed)
        for name, score in self._scores_of(tasks).items():
            fields = [field for field in score.fields if self._can_play(score, field)]
            for number in range(games):
                field = fields[number % len(fields)]
                setups, seatings = score.fields[field].scores.shape[:2]
                place = Place(name, field, int(rng.integers(setups)), int(rng.integers(seatings)))
                self._play(score, place)
                yield place

    def _can_play(self, score: TaskScore, field: str) -> bool:
        hidden = score.task.field(field).hidden
        return not hidden or (score.task.config.variant, field) in self._hidden

    def _play(self, score: TaskScore, place: Place) -> None:
        player = self._players[score.task.config.variant]
        played = player.play_game(score.task, place.field, place.setup, place.seating)
        said = score.fields[place.field].lost.get((place.setup, place.seating), "")
        if played.lost != said:
            raise RowError(f"{place} is {played.lost or 'not lost'}: the row says {said or 'that it is not lost'}")
        self._check_scores(score, place, played.scores)


def _apply(game: Game, move: int, place: Place) -> None:
    try:
        game.apply(move)
    except IllegalActionError as error:
        raise RowError(f"{place} cannot be replayed: {error}") from error


if __name__ == "__main__":
    start(app)
