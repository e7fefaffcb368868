"""Golden games: finished games written as text, a line for each decision, and replayed line by line."""

from __future__ import annotations

from itertools import zip_longest
from pathlib import Path
from typing import Any

from endeavor_env.endeavor.game import Game
from endeavor_env.endeavor.options import EXPLOITS, without_defaults
from endeavor_env.endeavor.results import OPPOSITION_NAME, scorers
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.errors import IllegalActionError

GOLDEN_FORMAT = "endeavor-golden/1"
_STANDARD, _SOLO = c.VARIANT_NAMES[0], c.VARIANT_NAMES[c.VARIANT_SOLO]


class GoldenMismatchError(AssertionError):
    """A golden game cannot be written or does not replay; the message shows the first line that differs."""


def golden_text(game: Game, played_by: str) -> str:
    """Return a finished game as the text of a golden file: set-up, one line for each decision, and final scores.

    Args:
        game: A finished game.
        played_by: A note on where the moves come from; it is only kept.
    """
    if not game.over:
        raise GoldenMismatchError(f"{game!r} is not over: a golden game runs to its end")
    head = [GOLDEN_FORMAT, f"board {game.board.id}", f"players {game.num_players}", f"played-by {played_by}"]
    moves = [game.describe(action) for _, action in game.history]
    lines = [*head, *_variant_lines(game), *_setup_lines(game), *_play_lines(game.at_move(0), moves)]
    return "\n".join(lines) + "\n"


def _variant_lines(game: Game) -> list[str]:
    """Return the variant, its Exploits and the options that differ from their default; nothing for a standard game."""
    if game.variant == _STANDARD:
        return []
    options = without_defaults(game.options)
    exploits = [" ".join(("exploits", *game.exploits))] if game.variant == EXPLOITS else []
    chosen = [f"option {name} {str(value).lower()}" for name, value in options.items()]
    return [f"variant {game.variant}", *exploits, *chosen]


def _setup_lines(game: Game) -> list[str]:
    """Return the first player, the spaces of each kind of token, and what only a solo game draws."""
    setup = game.setup()
    lines = [f"first-player {setup['first_player']}"]
    for kind in c.TOKEN_NAMES:
        spaces = [space for space, lying in setup["tokens"].items() if lying == kind]
        lines.append(f"tokens {kind} {' '.join(spaces)}".rstrip())
    if game.variant == _SOLO:
        lines += [f"grid {' '.join(row)}" for row in setup["grid"]]
        lines.append(f"scale {' '.join(setup['scale'])}")
        lines += [f"track-discs {region} {' '.join(discs)}" for region, discs in setup["track_discs"].items()]
        lines.append(f"europe-order {' '.join(setup['europe_order'])}")
    return lines


def _play_lines(game: Game, moves: list[str]) -> list[str]:
    """Play ``moves`` and return a line for each, then the final scores; an illegal move ends the list."""
    lines = ["#  no round phase  seat move, legal moves there | of seats that changed: statuses, harbor, glory"]
    before: list[str] = []
    for number, move in enumerate(moves, 1):
        where = f"{number:4} {game.round} {game.phase:<6} {game.seat} {move}"
        count = len(game.legal_actions())
        try:
            game.play(move)
        except IllegalActionError as error:
            return [*lines, f"{where}: {error}"]
        after = _digest(game)
        changed = "  ".join(now for now in after if now not in before)
        lines.append(f"{where:<48} of {count:2} | {changed}".rstrip())
        before = after
    if not game.over:
        return [*lines, f"not over: {game!r}"]
    for name, score in zip(scorers(game.state), game.scores(), strict=True):
        parts = " ".join(f"{key} {glory}" for key, glory in game.breakdown(name).items())
        lines.append(f"{name if name == OPPOSITION_NAME else f'seat {name}'} scores {score}: {parts}")
    if game.variant == _SOLO:
        return [*lines, f"ladder {game.ladder().name}"]
    return [*lines, f"winners {' '.join(str(seat) for seat in game.winners())}"]


def _digest(game: Game) -> list[str]:
    """Return statuses (industry.culture.finance.politics), harbor and Glory of everybody who scores."""
    state, lines = game.state[0], []
    for mat, (name, score) in enumerate(zip(scorers(game.state), game.scores(), strict=True)):
        statuses = ".".join(str(state["status"][mat, status]) for status in range(len(c.STATUS_NAMES)))
        lines.append(f"{name}: {statuses} h{state['harbor'][mat]} g{score}")
    return lines


def replay_golden(path: str | Path) -> Game:
    """Replay a golden file and return the finished game.

    Raises:
        GoldenMismatchError: The file is not a golden file, or a line differs from what the rules give now; the message
            shows the first such line in both forms.
    """
    wanted = Path(path).read_text(encoding="utf-8").splitlines()
    game, body = _golden_start(path, wanted)
    words = [line.split() for line in wanted[body:] if line[:4].strip().isdigit()]
    moves = [line[4] for line in words if len(line) > 4]
    got = wanted[:body] + _play_lines(game, moves)
    for number, (want, have) in enumerate(zip_longest(wanted, got, fillvalue="(no line)"), 1):
        if want != have:
            raise GoldenMismatchError(f"{path}, line {number}: the file has\n  {want}\nbut the rules give\n  {have}")
    return game


def _golden_start(path: str | Path, lines: list[str]) -> tuple[Game, int]:
    """Set up the game in the head of a golden file; return it and the number of lines in the head."""
    if not lines or lines[0] != GOLDEN_FORMAT:
        raise GoldenMismatchError(f"{path} is no golden game: its first line must be {GOLDEN_FORMAT!r}")
    body = next((index for index, line in enumerate(lines) if line.startswith("#")), len(lines))
    head: dict[str, list[list[str]]] = {}  # first word of a line -> the other words of each such line
    for line in lines[1:body]:
        word, *rest = line.split()
        head.setdefault(word, []).append(rest)
    variant = head.get("variant", [[_STANDARD]])[0][0]
    solo = ("grid", "scale", "track-discs", "europe-order") if variant == _SOLO else ()
    missing = [word for word in ("board", "players", "first-player", *solo) if word not in head]
    if missing:
        raise GoldenMismatchError(f"{path} lacks {', '.join(missing)} in its head")
    try:
        options = {name: option_value(text) for name, text in head.get("option", [])}
        exploits = head["exploits"][0] if "exploits" in head else None
        players, board = int(head["players"][0][0]), head["board"][0][0]
        setup = _golden_setup(head)
        return Game.new(players, variant, setup=setup, board=board, exploits=exploits, options=options), body
    except (ValueError, IndexError) as error:  # EndeavorError is a ValueError
        raise GoldenMismatchError(f"{path} cannot be set up: {error}") from error


def option_value(text: str) -> bool | int | str:
    """Return the value of an option that a file holds as text: "true" and "false" are bools, digits a number."""
    if text in ("true", "false"):
        return text == "true"
    return int(text) if text.isdigit() else text


def _golden_setup(head: dict[str, list[list[str]]]) -> dict[str, Any]:
    """Return the set-up that the head of a golden file holds."""
    tokens = {space: kind for kind, *spaces in head.get("tokens", []) for space in spaces}
    setup: dict[str, Any] = {"first_player": int(head["first-player"][0][0]), "tokens": tokens}
    if "grid" in head:
        setup["grid"] = head["grid"]
        setup["scale"] = head["scale"][0]
        setup["track_discs"] = {region: discs for region, *discs in head["track-discs"]}
        setup["europe_order"] = head["europe-order"][0]
    return setup
