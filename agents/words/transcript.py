"""The file of a language model's match: what was played, every prompt and answer, and how the games ended.

Each line is a JSON object. The first is that of ``ModelMatchSettings.to_dict``, ``endeavor-words/1``. A line of type
"answer" is an answer of the model, with the moves that others made since the line before; one of type "end" is a game's
end, with its record. A killed program loses what it was waiting for: the same command goes on behind the last whole
line.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from endeavor_env.agents.lines_file import append_line, whole_lines
from endeavor_env.agents.words.endpoint import MOST_TOKENS, Answer
from endeavor_env.agents.words.settings import ModelMatchSettings
from endeavor_env.basics.file_lock import file_lock
from endeavor_env.basics.files import parse_json
from endeavor_env.errors import EndeavorError, InvalidOptionError, named

ANSWER = {"decision": int, "moves": list, "prompt": str, "answer": str, "usage": dict, "seconds": float,
          "requests": int, "refusal": str}  # fmt: skip
END = {"seat": int, "moves": list, "scores": list, "share": float, "forfeited": bool, "record": dict, "faults": list}
MOST_SECONDS = 1e9
"""Largest time of an answer."""
FIELDS = {"answer": ANSWER, "end": END}
"""Fields of each type of line besides "type" and "game"; an answer also has "finish" and "move", a text or null."""


@contextmanager
def open_transcript(file: Path, settings: ModelMatchSettings) -> Iterator[Transcript]:
    """Hold the file of a match, which is begun, or continued if it has these settings.

    Raises:
        InvalidOptionError: The file is of another match, is no transcript, or is in use by another process.
        EndeavorError: It was edited.
        OSError: It cannot be read or written.
    """

    def refuse(_: float) -> None:
        raise InvalidOptionError(f"another process plays the match in {named(str(file))}: wait for it, or stop it")

    file.parent.mkdir(parents=True, exist_ok=True)
    with file_lock(file.with_name(f"{file.name}.lock"), refuse):
        yield Transcript(file, settings)


class Transcript:
    """The transcript of a match so far.

    Attributes:
        answers: The lines of the answers of each game, by its number.
        ends: The line of the end of each game that has ended.
    """

    def __init__(self, file: Path, settings: ModelMatchSettings) -> None:
        """Read the file, or begin it."""
        self._file = file
        self.answers: dict[int, list[dict[str, Any]]] = {}
        self.ends: dict[int, dict[str, Any]] = {}
        lines = whole_lines(file) if file.exists() else []
        wanted = settings.to_dict()
        if not lines:
            append_line(file, json.dumps(wanted))
        for number, line in enumerate(lines, 1):
            value = _read_line(line)
            if number == 1:
                self._check_first(value, wanted)
            elif value is None or not self._take(value):
                raise EndeavorError(f"line {number} of {named(str(file))} was edited: it does not go on with the match")

    def _check_first(self, stored: dict[str, Any] | None, wanted: dict[str, Any]) -> None:
        if stored is None or stored.get("format") != wanted["format"]:
            raise InvalidOptionError(f"{named(str(self._file))} is no match of a language model: name another --out")
        other = [name for name in wanted if name != "package_version" and stored.get(name) != wanted[name]]
        if other:
            raise InvalidOptionError(
                f"{named(str(self._file))} holds a match with {other[0]} {json.dumps(stored.get(other[0]))[:200]}, not "
                f"{json.dumps(wanted[other[0]])[:200]}: give the same to go on with it, or name another --out"
            )

    def add(self, line: dict[str, Any]) -> None:
        """Keep a line; it is on the disk when this returns."""
        append_line(self._file, json.dumps(line))
        self._take(line)

    def _take(self, line: dict[str, Any]) -> bool:
        """Take a line that fits behind those before; return whether it does."""
        game, fields = line.get("game"), FIELDS.get(str(line.get("type")))
        if type(game) is not int or game < 0 or fields is None or game in self.ends:
            return False
        if not all(_is_a(line.get(name), kind) for name, kind in fields.items()):
            return False
        if not _is_possible(line):
            return False
        if line["type"] == "end":
            self.ends[game] = line
        else:
            self.answers.setdefault(game, []).append(line)
        return True


def answer_in(line: dict[str, Any]) -> Answer:
    """Return the answer of a line."""
    return Answer(line["answer"], line.get("finish"), line["usage"], line["seconds"], line["requests"])


def _is_possible(line: dict[str, Any]) -> bool:
    """Return whether a line can be played again, and counted together with others."""
    if not all(isinstance(move, str) for move in line["moves"]):
        return False
    if line["type"] == "answer":
        counts = (*line["usage"].values(), line["requests"])
        texts = all(name in line and isinstance(line[name], str | None) for name in ("finish", "move"))
        counted = all(type(number) is int and 0 <= number < MOST_TOKENS for number in counts)
        return texts and counted and 0 <= line["seconds"] < MOST_SECONDS
    scores = all(type(score) is int and abs(score) < MOST_TOKENS for score in line["scores"])
    return scores and 0 <= line["seat"] < len(line["scores"]) and 0 <= line["share"] <= 1


def _read_line(line: bytes) -> dict[str, Any] | None:
    try:
        value = parse_json(line)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _is_a(value: object, kind: type) -> bool:
    return type(value) is kind or (kind is float and type(value) is int)
