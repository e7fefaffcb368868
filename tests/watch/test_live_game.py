"""A running game gives its page what it does not have yet, and nothing to anybody without the token."""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import Callable
from functools import partial

import httpx
import pytest
from starlette.applications import Starlette

from endeavor_env.agents.base import AgentOf
from endeavor_env.agents.players.player_agent import make_player_agent
from endeavor_env.agents.registry import annotating_agent, make_agent
from endeavor_env.agents.runner import play_game
from endeavor_env.agents.watch.app import make_app
from endeavor_env.agents.watch.live_game import LiveGame
from endeavor_env.endeavor.game import Game
from endeavor_env.endeavor.records import replay
from endeavor_env.engine.game import Game as AnyGame
from endeavor_env.errors import InvalidOptionError
from endeavor_env.merchants.game import MerchantsConfig
from endeavor_env.merchants.records import replay as replay_merchants
from endeavor_env.web import Film, page_policy

TOKEN = "token-of-the-test"


class Slow:
    """Makes the first legal move each time it is let."""

    def __init__(self) -> None:
        self.name, self._let = "slow", threading.Semaphore(0)

    def reset(self, seed: int) -> None:
        """Nothing to forget."""

    def let_move(self, moves: int = 1) -> None:
        for _ in range(moves):
            self._let.release()

    def act(self, game: AnyGame) -> int:
        self._let.acquire()
        return game.legal_actions()[0]


class Broken(Slow):
    """Cannot move."""

    def act(self, game: AnyGame) -> int:
        raise ValueError("no idea")


def until(is_so: Callable[[], bool]) -> None:
    """Wait until something is so, at most a minute."""
    for _ in range(6000):
        if is_so():
            return
        threading.Event().wait(0.01)
    raise AssertionError("it never happened")


def ask(app: Starlette, path: str, host: str = "127.0.0.1", **headers: str) -> httpx.Response:
    """The answer of an application to a GET."""

    async def answer() -> httpx.Response:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=f"http://{host}") as client:
            return await client.get(path, headers=headers)

    return asyncio.run(answer())


def test_a_page_gets_what_it_does_not_have() -> None:
    slow = Slow()
    live = LiveGame(Game.new(3, seed=1), [slow] * 3, delay=0.0)
    live.start()
    assert len(live.part(0)["rows"]) == 1
    slow.let_move(3)
    until(lambda: len(live.part(0)["rows"]) == 4)
    part = live.part(2)
    assert (part["known"], len(part["rows"]), part["over"], part["trouble"]) == (2, 2, False, None)
    assert live.part(4)["rows"] == []
    assert len(live.record()["moves"]) == 3
    slow.let_move(1000)  # so that the thread can end
    live.stop()
    assert live.join(1)


def test_a_game_is_played_to_its_end_with_notes() -> None:
    game = Game.new(variant="solo", seed=3)
    live = LiveGame(game, [make_agent("greedy")], delay=0.0, annotator=annotating_agent("policy"))
    live.start()
    assert live.join(60)
    part = live.part(0)
    assert part["over"]
    assert (part["notes_by"], part["noted_unit"]) == ("policy", "reward")
    assert list(part["notes"]) == list(range(len(part["rows"]) - 1))
    assert replay(live.record()).over
    late = live.part(len(part["rows"]) - 2)
    assert list(late["notes"]) == [len(part["rows"]) - 3, len(part["rows"]) - 2]


def test_the_heading_goes_on_with_the_game_and_names_who_plays() -> None:
    slow = Slow()
    live = LiveGame(Game.new(3, seed=1), [slow] * 3, delay=0.0)
    assert live.part(0)["names"] == ["slow", "slow#2", "slow#3"]
    titles = [live.part(0)["title"]]
    live.start()
    slow.let_move(1000)
    assert live.join(60)
    titles.append(live.part(0)["title"])
    assert titles[0] == "Endeavor, 3 seats, round 1, build phase: slow, slow#2, slow#3"
    assert re.fullmatch(r"Endeavor, 3 seats: slow \(\d+\), slow#2 \(\d+\), slow#3 \(\d+\)", titles[1])
    record = live.record()
    assert [seat["agent"] for seat in record["played"]["seats"]] == ["slow"] * 3
    assert len(record["played"]["seconds"]) == len(record["moves"])
    assert all(seconds >= 0 for seconds in record["played"]["seconds"])


def test_an_agent_that_fails_is_told_of() -> None:
    live = LiveGame(Game.new(3, seed=1), [Broken()] * 3, delay=0.0)
    live.start()
    assert live.join(60)
    assert live.part(0)["trouble"] == "slow#3 cannot move: no idea"


def test_a_game_with_chance_is_the_one_that_is_played_without_a_page() -> None:
    config = MerchantsConfig(3, max_rolls=3)
    given, alone = config.new_game(4), config.new_game(4)

    def agents() -> list[AgentOf[AnyGame]]:
        made = [make_player_agent(config.rules, name) for name in ("greedy", "planner", "random")]
        for agent in made:
            agent.reset(1)
        return made

    live = LiveGame(given, agents(), delay=0.0)
    assert len(live.part(0)["rows"]) == 2  # before and after chance drew who begins
    live.start()
    assert live.join(60)
    play_game(agents(), alone)
    assert (live.game.history, live.trouble) == (alone.history, None)
    assert len(given.history) == 1
    record = live.record()
    timed = record["played"]["seconds"]
    assert len(timed) > len(record["moves"]) / 2
    for (mover, _), seconds in zip(record["moves"], timed, strict=False):
        assert (seconds is None) == (mover == "chance")


def test_a_page_shows_all_that_the_replay_of_the_game_shows() -> None:
    config = MerchantsConfig(3, max_rolls=2)
    live = LiveGame(config.new_game(2), [make_player_agent(config.rules, "greedy") for _ in range(3)], delay=0.0)
    live.start()
    assert live.join(60)
    part, whole = live.part(0), Film.of(live.game).part()
    assert {name: part[name] for name in whole} == whole
    assert part["over"]
    assert part["names"] == ["greedy", "greedy#2", "greedy#3"]
    assert part["title"].startswith("Merchants of Europe, 3 seats: greedy (")
    assert list(part["side_colours"]) == part["sides"]


def test_a_record_never_ends_before_a_draw() -> None:
    slow = Slow()
    live = LiveGame(MerchantsConfig(3, max_rolls=20).new_game(4), [slow] * 3, delay=0.0)
    live.start()

    def is_longer(moves: int) -> bool:
        return len(live.record()["moves"]) > moves

    made = 0
    while made < 30:
        made = len(live.record()["moves"])
        slow.let_move()
        until(partial(is_longer, made))
        assert replay_merchants(live.record()).seat >= 0
    slow.let_move(10_000)
    live.stop()


def test_an_agent_of_merchants_that_fails_is_told_of() -> None:
    game = MerchantsConfig(3).new_game(4)
    live = LiveGame(game, [Broken()] * 3, delay=0.0)
    live.start()
    assert live.join(60)
    assert live.part(0)["trouble"] == f"{('slow', 'slow#2', 'slow#3')[game.seat]} cannot move: no idea"


def test_an_unknown_theme_is_refused() -> None:
    with pytest.raises(InvalidOptionError, match="theme='blue'"):
        LiveGame(Game.new(3, seed=1), [], 0.0, theme="blue")


def test_the_application_serves_page_film_and_record() -> None:
    app = make_app(LiveGame(Game.new(3, seed=1), [], 0.0), TOKEN)
    page = ask(app, f"/?token={TOKEN}")
    assert page.status_code == 200
    assert f'"more":"film?token={TOKEN}&known="' in page.text
    policy = page.headers["content-security-policy"]
    assert policy == f"{page_policy(asks=True)}; frame-ancestors 'none'"
    assert "unsafe" not in policy
    assert '<html lang="en" data-theme="auto">' in page.text
    film = ask(app, f"/film?token={TOKEN}&known=0")
    assert (film.status_code, len(film.json()["rows"])) == (200, 1)
    assert replay(ask(app, "/record", **{"X-Token": TOKEN}).json()).history == []


@pytest.mark.parametrize(
    ("path", "host", "status", "sentence"),
    [
        ("/", "127.0.0.1", 403, "the token is wrong or missing"),
        ("/film?token=guess", "127.0.0.1", 403, "the token is wrong or missing"),
        (f"/?token={TOKEN}", "example.org", 403, "only this machine is served"),
        (f"/film?token={TOKEN}&known=-1", "127.0.0.1", 400, '"known" must be the number of pictures'),
        (f"/film?token={TOKEN}&known=99999999", "127.0.0.1", 400, '"known" must be the number of pictures'),
        (f"/../secret?token={TOKEN}", "127.0.0.1", 404, "there is no such address"),
    ],
)
def test_what_is_not_possible_is_said_in_one_sentence(path: str, host: str, status: int, sentence: str) -> None:
    answer = ask(make_app(LiveGame(Game.new(3, seed=1), [], 0.0), TOKEN), path, host)
    assert answer.status_code == status
    assert sentence in answer.json()["error"]
