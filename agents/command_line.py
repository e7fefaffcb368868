"""Shared parts of the command lines: options as text, errors, the progress bar of a match, and its report."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Protocol, TypeVar, cast

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.text import Text

from endeavor_env.agents.extras import extra_of, how_to_install
from endeavor_env.agents.forfeits import Forfeit, forfeits_in_words
from endeavor_env.agents.games import names_in_game, read_game
from endeavor_env.agents.matches import Series
from endeavor_env.agents.results_file import beside_results, check_results, write_results
from endeavor_env.agents.terminal import replace_unprintable, terminal
from endeavor_env.basics.exit_status import INTERRUPTED, MISTAKE
from endeavor_env.endeavor.game import GameConfig, option_value
from endeavor_env.endeavor.options import RANDOM
from endeavor_env.endeavor.rules.constants import EXPLOIT_NAMES
from endeavor_env.endeavor.setups import STANDARD
from endeavor_env.engine.game import GameConfig as AnyConfig
from endeavor_env.engine.games import default_game, game_in
from endeavor_env.errors import EndeavorError, InvalidOptionError, printable, shown

BoardName = Annotated[str | None, typer.Option(help="endeavor_2009, generated_<seed>, or a board file.")]
OptionTexts = Annotated[
    list[str] | None, typer.Option("--option", help="An option of the variant, name=value; repeatable.")
]
"""The options of the rules that a command is given."""
MatchSeed = Annotated[int, typer.Option(help="Draws the set-ups and seeds the agents.")]
Exploits = Annotated[
    str | None, typer.Option(help=f'"{RANDOM}", or names with commas: {", ".join(EXPLOIT_NAMES)}.', show_default=False)
]
"""The option of all commands that begin games."""
GameText = Annotated[
    str | None,
    typer.Option(
        "--game",
        help="All that is played as one text, in place of the options for it: exploits:players=3,exploits=voc+sun; "
        "where a command plays Merchants of Europe too, merchants, or merchants:variant=expert,players=3,trade=bank.",
        show_default=False,
    ),
]
"""Value of ``--game``: the whole game as one text, in the form that ``endeavor_env.agents.games.read_game`` reads."""


class MatchSummary(Protocol):
    """The figures that the results of all kinds of match have."""

    @property
    def decisions(self) -> int:
        """Number of decisions in all games."""
        ...

    @property
    def seconds(self) -> float:
        """Time spent playing."""
        ...

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain JSON values."""
        ...


R = TypeVar("R", bound=MatchSummary)


def read_options(texts: Sequence[str]) -> dict[str, Any]:
    """Return options, each given as a text "name=value", as ``Game.new`` takes them.

    An unknown name is kept, and a value that its option does not have is kept as text: both are refused together with
    the other arguments of the match.

    Raises:
        InvalidOptionError: A text without "=", or a name given twice.
    """
    options: dict[str, Any] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise InvalidOptionError(f"option {text!r} is not possible: write it as name=value")
        if name in options:
            raise InvalidOptionError(f"option {name!r} is given twice: give each once")
        options[name] = option_value(name, value)
    return options


def read_exploits(text: str | None) -> str | list[str] | None:
    """Return Exploits, given as "random" or as names with commas, as ``Game.new`` takes them."""
    return text if text is None or text == RANDOM else [name.strip() for name in text.split(",")]


def read_config(
    variant: str,
    players: int | None = None,
    board: str | None = None,
    options: Sequence[str] | None = None,
    exploits: str | None = None,
    game: str | None = None,
) -> GameConfig:
    """Return what a command line says is played of Endeavor; arguments and errors are those of ``read_any_config``."""
    if game_in(game) is not default_game():
        alone = default_game().title
        raise InvalidOptionError(f"--game {shown(game)} is not possible here: this command plays {alone} alone")
    return cast(GameConfig, read_any_config(variant, players, board, options, exploits, game))


def read_any_config(
    variant: str,
    players: int | None = None,
    board: str | None = None,
    options: Sequence[str] | None = None,
    exploits: str | None = None,
    game: str | None = None,
) -> AnyConfig:
    """Return what a command line says is played, of any game.

    Args:
        variant: The variant.
        players: Number of seats, None for what is usual.
        board: The name or the file of the board.
        options: Options of the variant, each as "name=value".
        exploits: Exploits, as ``read_exploits`` takes them.
        game: Everything as the text of a ``GameConfig``. Then only ``players`` may be given besides, and must fit; it
            is the number of seats if the text names none.

    Raises:
        EndeavorError: Those of ``GameConfig``, ``read_options`` and ``read_game``, or something is said twice.
    """
    if game is None:
        return GameConfig(variant, players, board, read_options(options or ()), read_exploits(exploits))
    if variant != STANDARD or board or options or exploits:
        raise InvalidOptionError(f"--game {shown(game)} says what is played: leave out the other options of the game")
    return read_game(game, players)


def sets_difficulty(options: Sequence[str] | None, game: str | None) -> bool:
    """Return whether a command line sets the option ``difficulty`` as one of several options, or in a whole game."""
    return "difficulty" in read_options(options or ()) or "difficulty" in names_in_game(game or "")


def start(app: Callable[[], object]) -> None:
    """Run a program on a terminal that may lack characters: it prints "?" for them, in help texts as well."""
    replace_unprintable()
    app()


@contextmanager
def command_line(json_file: Path | None = None, force: bool = False) -> Iterator[None]:
    """Turn wrong input into one line on stderr and status 2, and Ctrl-C into one line and status 130.

    Args:
        json_file: Where the results go; "-" for stdout, and then everything else that is printed goes to stderr.
        force: Whether a file of results may be replaced.
    """
    try:
        with beside_results(json_file):
            check_results(json_file, force)
            yield
    except (EndeavorError, OSError, ModuleNotFoundError) as error:
        sentence = sentence_of(error)
        if sentence is None:
            raise
        print(f"error: {printable(sentence)}", file=sys.stderr)
        raise typer.Exit(MISTAKE) from error
    except KeyboardInterrupt as stopped:
        print("interrupted", file=sys.stderr)
        raise typer.Exit(INTERRUPTED) from stopped


def sentence_of(error: Exception) -> str | None:
    """Return in one sentence what is wrong; None for an error that is a fault of the program."""
    if isinstance(error, EndeavorError):
        return str(error)
    if isinstance(error, ModuleNotFoundError):
        extra = extra_of(error.name)
        return None if extra is None else how_to_install(str(error.name), extra)
    if isinstance(error, OSError) and error.strerror and error.filename is not None:
        return f"{error.filename} cannot be used: {error.strerror}"
    return str(getattr(error, "strerror", None) or error)


def play_and_report(match: Series[R], least: int, show: Callable[[R], None], json_file: Path | None) -> int:
    """Play a match, write its result to ``json_file``, show it, and return the exit status.

    Ctrl-C ends the match early. The file comes first because a terminal can refuse what is printed, and the result is
    shown even if the file cannot be written.

    Args:
        match: The match to play.
        least: The number of set-ups without which there is no result.
        show: Prints a result.
        json_file: Where to write the result as JSON; None writes nothing.
    """
    finished = play_to_the_end(match.play(), match.setups)
    if not finished:
        print(f"interrupted after {match.done} of {match.setups} set-ups", file=sys.stderr)
        if match.done < least:
            return INTERRUPTED
    result = match.result()
    try:
        write_results(json_file, result.to_dict(), indent=None)
    finally:
        show(result)
    return 0 if finished else INTERRUPTED


def print_forfeits(forfeits: Sequence[Forfeit], names: Sequence[str]) -> None:
    """Print who lost games by faults, and why the first."""
    for line in forfeits_in_words(forfeits, names):
        print(printable(line))


def print_speed(result: MatchSummary, games: int) -> None:
    """Print how fast the ``games`` games of a match were played."""
    print(
        f"{games / result.seconds:.1f} games/s, {result.decisions / result.seconds:.0f} decisions/s, "
        f"{result.decisions / games:.0f} decisions a game"
    )


def play_to_the_end(played: Iterable[int], total: int) -> bool:
    """Play a match with a progress bar; return False if Ctrl-C interrupted it.

    Args:
        played: What the match's ``play`` returns: the number of set-ups done, after each.
        total: The number of all set-ups.
    """
    try:
        with progress("set-ups", total) as advance:
            for _ in played:
                advance()
    except KeyboardInterrupt:
        return False
    return True


class _Speed(ProgressColumn):
    """Steps a second."""

    def render(self, task: Task) -> Text:
        """Return the speed as text."""
        return Text(f"{task.speed:.1f}/s" if task.speed else "")


@contextmanager
def progress(what: str, total: int, done: int = 0) -> Iterator[Callable[..., None]]:
    """Show a progress bar on stderr; none if that is no terminal.

    Args:
        what: What is counted.
        total: Number of all steps.
        done: Number of those that are done already.

    Yields:
        A function of the number of further steps done, by default 1, and of a text that is shown beside the bar.
    """
    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), _Speed(), TextColumn("{task.description}"))
    bar = Progress(
        *columns,
        TimeRemainingColumn(),
        console=terminal(stderr=True),
        transient=True,
        disable=not sys.stderr.isatty(),
    )
    with bar:
        task = bar.add_task("", total=total, completed=done)
        yield lambda steps=1, now="": bar.update(task, advance=steps, description=now)
