"""Constructors that take ``**options: Unpack[...]`` show each option: in their signature, and in the class's docstring.

An option that there is not is refused by the name of the environment and with a list of its options.

Type checkers and editors understand ``Unpack``; ``help``, the pages and everything else that looks at a class when the
program runs sees what is set here.
"""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable, Mapping
from typing import Any, ForwardRef, TypeVar

from endeavor_env.basics.inputs import refuses_unknown_options
from endeavor_env.envs.registration import id_of

C = TypeVar("C", bound=type)
_WIDTH = 116  # of a docstring's line, without its indentation


def shows_options(
    options: type, defaults: Mapping[str, Any], meanings: Mapping[str, str] | None = None
) -> Callable[[C], C]:
    """Return a decorator of a class whose constructor takes ``**given: Unpack[options]``.

    Args:
        options: A TypedDict.
        defaults: The value of each option that is left out.
        meanings: What each option means, listed in place of the line "- the options of ``<name of the TypedDict>``." of
            the class's docstring; None where the docstring has no such line.
    """

    def decorate(decorated: C) -> C:
        constructor: Any = decorated.__init__
        own = inspect.signature(constructor)
        explicit = [one for one in own.parameters.values() if one.kind is not inspect.Parameter.VAR_KEYWORD]
        named = [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=defaults[name], annotation=_words(declared))
            for name, declared in options.__annotations__.items()
        ]
        constructor.__signature__ = own.replace(parameters=[*explicit, *named])
        class_of: Any = decorated
        class_of.__init__ = refuses_unknown_options(id_of(decorated))(constructor)
        if meanings is not None and decorated.__doc__:  # there are no docstrings with python -OO
            listed = "\n".join(map(_item, meanings.items()))
            decorated.__doc__ = inspect.cleandoc(decorated.__doc__).replace(_place(options), listed)
        return decorated

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
