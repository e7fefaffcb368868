"""Pages for the browser, each a single file without outside parts."""

from __future__ import annotations

from endeavor_env.pages.replay import replay_page, write_replay_page

__all__ = ["replay_page", "write_replay_page"]
