"""Pages for the browser, each a single file without outside parts."""

from __future__ import annotations

from endeavor_env.pages.film import Film
from endeavor_env.pages.replay import film_page, replay_page, title_of, write_replay_page

__all__ = ["Film", "film_page", "replay_page", "title_of", "write_replay_page"]
