"""A page allows its own style and script by their hashes, and has nothing inline besides."""

from __future__ import annotations

import base64
import hashlib
import re
from html import unescape

import pytest

from endeavor_env.endeavor.game import Game
from endeavor_env.web import Film, film_page, page_policy, replay_page
from tests.kits.games import running


def policy_in(page: str) -> str:
    """The policy that stands in a page."""
    (found,) = re.findall(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">', page)
    return unescape(found)


def hashes(page: str, tag: str) -> list[str]:
    """How a policy names what stands between the tags of a kind."""
    texts = re.findall(rf"<{tag}>(.*?)</{tag}>", page, re.DOTALL)
    return [f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'" for text in texts]


def test_the_policy_names_the_one_style_and_the_one_script() -> None:
    page = replay_page(running("solo", 3, 5))
    policy = policy_in(page)
    assert policy == page_policy()
    (style,), (script,) = hashes(page, "style"), hashes(page, "script")
    assert policy.split("; ") == [
        "default-src 'none'",
        f"style-src {style}",
        f"script-src {script}",
        "base-uri 'none'",
        "form-action 'none'",
    ]


def test_only_a_page_of_a_running_game_may_ask_its_server() -> None:
    film = Film(Game.new(3, seed=1)).part()
    assert "connect-src 'self'" in policy_in(film_page(film, "auto", "a match", "film?known="))
    assert "connect-src" not in policy_in(film_page(film, "auto", "a match"))


@pytest.mark.parametrize("name", ["solo", "exploits", "neutral_2"])
def test_nothing_is_styled_or_run_in_an_attribute(name: str) -> None:
    page = replay_page(running(name, 3, 40))
    lines = "\n".join(line for line in Film.of(running(name, 3, 40)).part()["lines"])
    for text in (re.sub(r"<(script|style)\b.*?</\1>", "", page, flags=re.DOTALL), lines):
        assert "<" in text
        assert not re.search(r"<[^>]*\s(style|on\w+)\s*=", text)
        assert "javascript:" not in text
