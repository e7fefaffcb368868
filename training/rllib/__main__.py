"""Start ``training.rllib.command``, or say what must be installed for it."""

from __future__ import annotations

import sys

import typer

from agents.command_line import MISTAKE


def main() -> None:
    """Run the command line."""
    try:
        from training.rllib.command import main as command
    except ModuleNotFoundError as error:
        print(
            f"error: training.rllib needs {error.name}: install it with pip install 'endeavor-env[rllib]'",
            file=sys.stderr,
        )
        sys.exit(MISTAKE)
    typer.run(command)


if __name__ == "__main__":
    main()
