"""Pages for the browser, each a single file without outside parts."""

from __future__ import annotations

from endeavor_env.web.film import Film, noted_by, step_of
from endeavor_env.web.replay import (
    AUTOMATIC,
    THEMES,
    empty_page,
    film_page,
    page_policy,
    replay_page,
    title_of,
    write_replay_page,
)

__all__ = [
    "AUTOMATIC",
    "THEMES",
    "Film",
    "empty_page",
    "film_page",
    "noted_by",
    "page_policy",
    "replay_page",
    "step_of",
    "title_of",
    "write_replay_page",
]
