"""The methods that there are references of."""

from __future__ import annotations

from typing import NamedTuple

from endeavor_env.agents.extras import check_libraries, is_installed
from endeavor_env.errors import InvalidOptionError, MissingLibraryError, shown


class Method(NamedTuple):
    """A way to learn."""

    train: str
    """Function that takes a run and trains it, as "module:function"."""
    title: str
    """Name in tables."""
    libraries: tuple[str, ...]
    """Libraries that it needs besides this package."""
    extra: str
    """The extra of this package that brings them; "" for none."""
    requirements: str = ""
    """The file in a checkout with their versions, where no extra brings them."""
    from_corpus: bool = False
    """True if it learns from a corpus, whose folder the function then takes as well."""


METHODS = {
    "maskable-ppo": Method(
        "endeavor_env.training.reference.ppo:train", "MaskablePPO (sb3-contrib)", ("torch", "sb3_contrib"), "train"
    ),
    "dqn": Method(
        "endeavor_env.training.reference.dqn:train",
        "masked DQN (Tianshou)",
        ("torch", "tianshou"),
        "",
        "tests/clients/tianshou.txt",
    ),
    "cloning": Method(
        "endeavor_env.training.reference.cloning:train",
        "behaviour cloning",
        ("torch", "sb3_contrib"),
        "train",
        from_corpus=True,
    ),
    "td": Method("endeavor_env.training.reference.td:train", "TD value network", ("torch", "tensorboard"), "train"),
    "clone-ppo": Method(
        "endeavor_env.training.reference.ppo:train_clone", "clone, then PPO", ("torch", "sb3_contrib"), "train"
    ),
}
TITLES = {name: method.title for name, method in METHODS.items()} | {"rllib-ppo": "PPO (RLlib)"}
"""Names in tables, with that of a method until commit 019d950e, of which there are published results."""


def check_method(name: str) -> None:
    """Raise MissingLibraryError unless the libraries of a method are installed."""
    method = METHODS[name]
    if method.extra:
        check_libraries(method.extra, *method.libraries)
    for library in method.libraries:
        if not is_installed(library):
            raise MissingLibraryError(
                f"method {name} needs {library}, which is not installed: pip install -r {method.requirements}"
            )


def method_of(name: str) -> Method:
    """Return the method of a name; raise InvalidOptionError if there is none."""
    if name not in METHODS:
        raise InvalidOptionError(f"method {shown(name)} is unknown: possible are {', '.join(METHODS)}")
    return METHODS[name]
