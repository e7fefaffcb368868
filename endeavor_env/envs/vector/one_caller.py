"""One caller at a time: a vector environment refuses calls of a second thread while the first is inside.

Kernels write into the environment's arrays without the interpreter's lock, so two calls at once would spoil games, or
end the process. A call that waited for another one would hide such a mistake and lose the order of the steps.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

from endeavor_env.errors import EndeavorError

P = ParamSpec("P")
R = TypeVar("R")


class OverlappingCallsError(EndeavorError):
    """A second thread called an environment that was busy; the call that was running goes on, nothing is changed."""


class Calls:
    """Which thread is inside an environment. Copies and pickles begin with nobody."""

    def __init__(self) -> None:
        """Begin with nobody inside."""
        self.inside: dict[str, tuple[int, str]] = {}
        """Empty, or "caller" with the number of the thread and the name of the method."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Leave out who is inside: nobody is inside of a copy."""
        return Calls, ()


class HasCalls(Protocol):
    """What a class needs for the methods that ``alone`` decorates."""

    @property
    def _calls(self) -> Calls:
        """Which thread is inside."""
        ...


def alone(method: Callable[Concatenate[Any, P], R]) -> Callable[Concatenate[Any, P], R]:
    """Let one thread at a time call the methods of an object that are decorated so.

    They raise OverlappingCallsError while another thread is inside of one of them. They may call each other, and a
    thread that was interrupted (Ctrl-C) can always go on.
    """

    @functools.wraps(method)
    def call(self: HasCalls, *args: P.args, **kwargs: P.kwargs) -> R:
        inside, mine = self._calls.inside, (threading.get_ident(), method.__name__)
        caller = inside.get("caller")
        if caller is not None and caller[0] == mine[0]:
            return method(self, *args, **kwargs)
        try:
            found = inside.setdefault("caller", mine)  # one step, which no other thread and no interrupt divides
            if found is not mine:
                raise _overlapping(found[1], mine[1])
            return method(self, *args, **kwargs)
        finally:
            if inside.get("caller") is mine:
                del inside["caller"]

    return call


def _overlapping(running: str, asked: str) -> OverlappingCallsError:
    """Return the error for a call that began while another one was running."""
    return OverlappingCallsError(
        f"{asked}() is not possible: another thread is inside {running}() of this environment; give each thread an "
        "environment of its own, or let them take turns with a lock"
    )
