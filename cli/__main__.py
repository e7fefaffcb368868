"""Runs the command ``endeavor``."""

from __future__ import annotations

from endeavor_env.cli.app import app


def main() -> None:
    """Run the command and end the process with its exit status."""
    app()


if __name__ == "__main__":
    main()
