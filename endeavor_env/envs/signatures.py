"""Signatures and docstrings of functions and classes that make environments and take ``**given: Unpack[...]``.

Both list each option. An unknown option is refused with the name of the environment and the list of its options.

Type checkers and editors understand ``Unpack``; ``help``, the pages and everything else that looks at a maker when the
program runs sees what is set here.
"""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable, Mapping
from typing import Any, ForwardRef, ParamSpec, TypeVar

from endeavor_env.basics.inputs import refuses_unknown_options

M = TypeVar("M", bound=Callable[..., Any])
P = ParamSpec("P")
R = TypeVar("R")
_WIDTH = 116  # of a docstring's line, without its indentation


def shows_options(
    of: str,
    options: type,
    defaults: Mapping[str, Any],
    meanings: Mapping[str, str] | None = None,
    metadata: Mapping[str, Any] | None = None,
) -> Callable[[M], M]:
    """Return a decorator of a class or function that takes ``**given: Unpack[options]``.

    Args:
        of: The name of the environment in errors.
        options: A TypedDict.
        defaults: The value of each option that is left out.
        meanings: What each option means, listed in place of the line "- the options of ``<name of the TypedDict>``." of
            the docstring; None where the docstring has no such line.
        metadata: The attribute ``metadata`` of a function, in which ``gymnasium.make`` looks for render modes.
    """

    def decorate(maker: M) -> M:
        decorated: Any = maker
        if isinstance(maker, type):
            decorated.__init__ = _shown(of, decorated.__init__, options, defaults)
        else:
            decorated = _shown(of, maker, options, defaults)
        if metadata is not None:
            decorated.metadata = metadata
        if meanings is not None and decorated.__doc__:  # there are no docstrings with python -OO
            listed = "\n".join(map(_item, meanings.items()))
            decorated.__doc__ = inspect.cleandoc(decorated.__doc__).replace(_place(options), listed)
        made: M = decorated
        return made

    return decorate


def _shown(of: str, function: Any, options: type, defaults: Mapping[str, Any]) -> Any:
    """Return a function that shows each of its options, and refuses others."""
    own = inspect.signature(function)
    explicit = [one for one in own.parameters.values() if one.kind is not inspect.Parameter.VAR_KEYWORD]
    named = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=defaults[name], annotation=_words(declared))
        for name, declared in options.__annotations__.items()
    ]
    function.__signature__ = own.replace(parameters=[*explicit, *named])
    return refuses_unknown_options(of)(function)


def shows_arguments_of(maker: Callable[P, Any]) -> Callable[[Callable[..., R]], Callable[P, R]]:
    """Return a decorator of a function that passes its arguments on to a maker, whose signature it shows."""

    def decorate(function: Callable[..., R]) -> Callable[P, R]:
        decorated: Any = function
        decorated.__signature__ = inspect.signature(maker)
        passing: Callable[P, R] = decorated
        return passing

    return decorate


def all_options(given: Mapping[str, Any], defaults: Mapping[str, Any]) -> dict[str, Any]:
    """Return every option with its value; ``given`` has no others, as the constructor has checked."""
    return {**defaults, **given}


def _place(options: type) -> str:
    """Return the line of a docstring that stands for ``options``."""
    return f"- the options of ``{options.__name__}``."


def _item(option: tuple[str, str]) -> str:
    """Return an option and its meaning as an item of a list."""
    return textwrap.fill(f"- ``{option[0]}``: {option[1]}", _WIDTH, subsequent_indent="  ", break_long_words=False)


def _words(declared: Any) -> Any:
    """Return an annotation as it is written in the code."""
    return declared.__forward_arg__ if isinstance(declared, ForwardRef) else declared
