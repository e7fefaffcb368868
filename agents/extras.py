"""The libraries that only some commands need, and the extra of the package that installs each."""

from __future__ import annotations

from importlib.util import find_spec

EXTRAS = {
    "arena": ("choix", "matplotlib"),
    "render": ("PIL", "pygame"),
    "play": ("starlette", "uvicorn"),
    "mcp": ("mcp",),
    "data": ("minari", "pandas"),
    "train": ("sb3_contrib", "stable_baselines3", "tensorboard", "torch", "tqdm"),
    "rllib": ("ray",),
}
"""The modules of each extra, as they are imported; one that several extras have stands with the first."""


def is_installed(library: str) -> bool:
    """Return whether a library can be found; it is not imported."""
    try:
        return find_spec(library) is not None
    except (ImportError, ValueError):  # ValueError: something else that bears the name is being imported
        return False


def extra_of(library: str | None) -> str | None:
    """Return the extra that installs a library, or a module of one; None for a library that no extra has."""
    root = (library or "").partition(".")[0]
    return next((extra for extra, libraries in EXTRAS.items() if root in libraries), None)


def how_to_install(library: str, extra: str) -> str:
    """Return the sentence that says which library a command lacks, with the command that installs it."""
    return f"this command needs {library}, which is not installed: pip install 'endeavor-env[{extra}]'"


def check_libraries(extra: str, *libraries: str) -> None:
    """Raise MissingLibraryError unless all of these libraries of an extra are installed: before anything is begun."""
    for library in libraries:
        if not is_installed(library):
            from endeavor_env.errors import MissingLibraryError

            raise MissingLibraryError(how_to_install(library, extra))
