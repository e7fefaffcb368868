"""Names of programs that play, as "code:player.py,seconds=5,memory=4096" and "process:./mine --fast,seconds=5"."""

from __future__ import annotations

import math
import os
import re
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from endeavor_env.basics.files import is_unicode
from endeavor_env.errors import InvalidOptionError, shown

CODE, PROCESS = "code", "process"
SECONDS = 2.0
"""For a decision, if the name says nothing else."""
MEBIBYTES = 2048
"""Of memory of a Python file, if the name says nothing else."""
MOST = {"seconds": 86_400.0, "memory": 1_048_576.0}
_LIMITS = re.compile(r",(seconds|memory)=([^,=]*)$")


class ProgramName(NamedTuple):
    """A program, and what it may take."""

    target: str
    """The path of a Python file, or a command."""
    seconds: float
    """For a decision."""
    memory: int
    """Mebibytes of memory of a Python file."""


def read_program_name(kind: str, settings: str) -> ProgramName:
    """Return what the settings behind ``kind`` and a colon say.

    Raises:
        InvalidOptionError: A limit that is no positive number or is given twice, nothing before it, or a character
            that no command has.
    """
    name, target, limits = shown(f"{kind}:{settings}"), settings, dict[str, float]()
    if "\0" in settings or not is_unicode(settings):
        raise InvalidOptionError(f"agent {name} is not possible: it has a null byte or half of a character")
    while found := _LIMITS.search(target):
        what, value = found.groups()
        try:
            number = float(value)
        except ValueError:
            number = math.nan
        if not 0 < number <= MOST[what] or what in limits:
            raise InvalidOptionError(
                f"agent {name} is not possible: {what} must be a number above 0 and at most {MOST[what]:,.0f}, once"
            )
        limits[what], target = number, target[: found.start()]
    if kind == PROCESS and "memory" in limits:
        raise InvalidOptionError(f"agent {name} is not possible: only {CODE}:<file> limits the memory")
    if not (words_of(target, name) if kind == PROCESS else target.strip()):
        raise InvalidOptionError(f"agent {name} is not possible: name a {'command' if kind == PROCESS else 'file'}")
    return ProgramName(target, limits.get("seconds", SECONDS), max(1, int(limits.get("memory", MEBIBYTES))))


def words_of(command: str, name: str) -> list[str]:
    """Return the words of a command as a shell splits them; raise InvalidOptionError if a quote stays open."""
    try:
        return shlex.split(command)
    except ValueError as error:
        raise InvalidOptionError(f"agent {name} is not possible: its command has {str(error).lower()}") from error


def code_files(settings: str) -> Sequence[Path]:
    """Return the file that the settings of "code" name."""
    return [Path(read_program_name(CODE, settings).target)]


def command_files(settings: str) -> Sequence[Path]:
    """Return the files that the command of "process" names, its program first if that is named by its path."""
    words = words_of(read_program_name(PROCESS, settings).target, shown(f"{PROCESS}:{settings}"))
    return [Path(word) for word in words if os.path.isfile(word)]  # unlike Path.is_file it takes words of any length
