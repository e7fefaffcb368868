"""Opens what a command has written."""

from __future__ import annotations

import webbrowser
from pathlib import Path

from endeavor_env.agents.terminal import print_line, terminal


def open_file(file: Path) -> None:
    """Open a file in the browser, which shows pages and pictures; where there is none, say what to open."""
    address = file.resolve().as_uri()
    if not webbrowser.open(address):
        print_line(f"no browser was found: open {address}", terminal(stderr=True))
