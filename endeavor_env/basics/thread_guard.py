"""Thread guard: an object refuses calls of a second thread while the first is inside of it.

Kernels write into an object's arrays without the interpreter's lock, and what Python does between two kernels belongs
together, so two calls at once would spoil games, or end the process. A call that waited for another one would hide such
a mistake and lose the order of the steps.
"""

from __future__ import annotations

import functools
from _thread import get_ident
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

from endeavor_env.errors import EndeavorError

P = ParamSpec("P")
R = TypeVar("R")

NOBODY = 0
"""The number of no thread."""
SOMEBODY = -1
"""Stands for the number of a thread that calls nobody while it is inside, and saves the time to ask for its number."""


class OverlappingCallsError(EndeavorError):
    """A second thread called an object that was busy; the call that was running goes on, nothing is changed."""


class ThreadGuard:
    """The thread that is inside an object. Copies and pickles begin with none.

    ``guarded`` does what is needed around a method. A method that must lose no time does it by itself::

        guard, me, outer = self._guard, get_ident(), self._guard.caller
        if outer != NOBODY and outer != me:
            raise guard.refusal("step")
        guard.caller, guard.running = me, "step"
        try:
            ...
        finally:
            guard.caller = outer

    No call stands between the reading of ``caller`` and the ``try``, so that neither another thread nor an interrupt
    (Ctrl-C) comes between them: Python lets them in after calls and at jumps back.

    Attributes:
        caller: The number of the thread inside, NOBODY for none.
        running: Name of the method that entered last.
    """

    __slots__ = ("caller", "running")

    def __init__(self) -> None:
        """Begin with nobody inside."""
        self.caller, self.running = NOBODY, ""

    def __reduce__(self) -> tuple[Any, ...]:
        """Leave out who is inside: nobody is inside of a copy."""
        return ThreadGuard, ()

    @contextmanager
    def entered(self, asked: str) -> Iterator[None]:
        """Let nobody else in during a ``with``, which does what the method or function ``asked`` is called for."""
        me, outer = get_ident(), self.caller
        if outer != NOBODY and outer != me:
            raise self.refusal(asked)
        self.caller, self.running = me, asked
        try:
            yield
        finally:
            self.caller = outer

    def refusal(self, asked: str) -> OverlappingCallsError:
        """Return the error for a call of the method ``asked`` while another thread is inside."""
        return overlapping(asked, self.running)


def overlapping(asked: str, running: str) -> OverlappingCallsError:
    """Return the error for a call of the method ``asked`` that began while ``running`` had not ended."""
    return OverlappingCallsError(
        f"{asked}() is not possible: another thread is inside {running}() of this object; give each thread an object "
        "of its own, or let them take turns with a lock"
    )


class HasGuard(Protocol):
    """A class whose methods ``guarded`` can decorate."""

    @property
    def _guard(self) -> ThreadGuard:
        """Guard of the object."""
        ...


def guarded(method: Callable[Concatenate[Any, P], R]) -> Callable[Concatenate[Any, P], R]:
    """Let one thread at a time call the methods of an object that are decorated so.

    They raise OverlappingCallsError while another thread is inside of one of them. They may call each other, also
    through what they call.
    """
    name = method.__name__

    @functools.wraps(method)
    def call(self: HasGuard, *args: P.args, **kwargs: P.kwargs) -> R:
        guard, me, outer = self._guard, get_ident(), self._guard.caller
        if outer == me:
            return method(self, *args, **kwargs)
        if outer != NOBODY:
            raise guard.refusal(name)
        guard.caller, guard.running = me, name
        try:
            return method(self, *args, **kwargs)
        finally:
            guard.caller = NOBODY

    return call
