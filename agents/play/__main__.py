"""``endeavor play``: play in the browser, alone or against agents."""

from __future__ import annotations

from endeavor_env.agents.command_line import start
from endeavor_env.agents.play.command import app

if __name__ == "__main__":
    start(app)
