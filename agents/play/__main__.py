"""``python -m agents.play``: play in the browser, alone or against agents."""

from __future__ import annotations

from agents.command_line import start
from agents.play.command import app

if __name__ == "__main__":
    start(app)
