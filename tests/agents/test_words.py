"""A language model's match: games in words through a server of chat completions, whatever that answers."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from endeavor_env import GameConfig
from endeavor_env.agents.words import endpoint as endpoints
from endeavor_env.agents.words.__main__ import Prices, WordsResult, result_of
from endeavor_env.agents.words.__main__ import play as play_match
from endeavor_env.agents.words.endpoint import Endpoint
from endeavor_env.agents.words.playing import BRIEFLY, ModelMatchSettings, open_transcript, read_fields
from endeavor_env.endeavor.records import replay
from endeavor_env.endeavor.text import TextOptions
from endeavor_env.errors import EndeavorError, InvalidOptionError
from tests.kits.chat_server import CUT, Behaviour, Said, chat_server, drawn_move
from tests.kits.commands import run_command

MODULE = "endeavor_env.agents.words"
TWO = ("random", "greedy")


def three_seats(**more: Any) -> ModelMatchSettings:
    """The settings of a match at a table of three."""
    return ModelMatchSettings("toy", TWO, GameConfig(players=3), 5, **more)


def match(file: Path, url: str, settings: ModelMatchSettings, games: int = 1, **more: Any) -> WordsResult:
    """The outcome of a match, played from where its file stands."""
    with open_transcript(file, settings) as transcript:
        play_match(settings, transcript, games, Endpoint(url, settings.model, **more))
        result = result_of(settings, transcript, games, Prices(1.0, 2.0))
    assert result is not None
    return result


def lines_of(file: Path) -> list[dict[str, Any]]:
    """The lines of a transcript."""
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


@pytest.fixture
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The pauses that would have been made."""
    made: list[float] = []
    monkeypatch.setattr(endpoints, "sleep", made.append)
    return made


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Where the transcript goes."""
    return tmp_path / "words.jsonl"


def test_a_match_is_played_from_every_seat_and_told_whole(file: Path) -> None:
    with chat_server() as (url, heard):
        result = match(file, url, three_seats(), 3, key="secret", fields={"temperature": 0})
    assert [game["seat"] for game in result.games] == [0, 1, 2]
    assert result.tally.decisions == result.tally.answers == len(heard) > 30
    assert {(one.path, one.key, one.body["temperature"]) for one in heard} == {
        ("/v1/chat/completions", "Bearer secret", 0)
    }
    assert [message["role"] for message in heard[0].body["messages"]] == ["system", "user"]
    text = file.read_text(encoding="utf-8")
    assert "secret" not in text
    first, *others = lines_of(file)
    assert first["format"] == "endeavor-words/1"
    for number in range(3):
        own = [line for line in others if line["game"] == number]
        end = own[-1]
        game = replay(end["record"])
        assert end["scores"] == game.scores()
        moves = [move for line in own[:-1] for move in (*line["moves"], line["move"])] + end["moves"]
        assert moves == [game.describe(action) for _, action in game.history]
        assert game.played is not None
        assert game.played.seats[number].name == "toy"
    read, written = result.tally.prompt_tokens, result.tally.completion_tokens
    assert result.cost == pytest.approx((read + 2 * written) / 1e6)
    assert sum(row["cost"] for row in result.to_dict()["rows"]) == pytest.approx(result.cost)


def sometimes_garbled(number: int, body: dict[str, Any]) -> Said:
    """Answer one decision in three badly at first."""
    bad = len(body["messages"]) == 2 and random.Random(body["messages"][-1]["content"]).random() < 1 / 3
    return Said("I pass on this.") if bad else drawn_move(number, body)


@pytest.mark.parametrize("begun", [False, True])
def test_a_match_that_was_killed_goes_on_as_if_it_had_not_been(begun: bool, file: Path, tmp_path: Path) -> None:
    settings, whole = three_seats(), tmp_path / "whole.jsonl"
    with chat_server(sometimes_garbled) as (url, heard):
        match(whole, url, settings)
        asked = len(heard)
    refusals = [number for number, line in enumerate(lines_of(whole)) if line.get("refusal")]
    at = refusals[1] if begun else 0  # behind a refused answer, before the next try

    def killed(number: int, body: dict[str, Any]) -> Said:
        return sometimes_garbled(number, body) if number < at else Said(status=401)

    with chat_server(killed) as (url, _), pytest.raises(EndeavorError, match="401"):
        match(file, url, settings)
    with file.open("a") as torn:
        torn.write('{"type": "answer", "game": 0, "mov')
    with chat_server(sometimes_garbled) as (url, heard):
        match(file, url, settings)
        assert len(heard) == asked - at

    def comparable(path: Path) -> list[dict[str, Any]]:
        lines = [{**line, "seconds": 0} for line in lines_of(path)]
        lines[-1]["record"].pop("played")
        return lines

    assert comparable(file) == comparable(whole)


def test_refused_empty_and_cut_off_answers_are_tried_again(file: Path) -> None:
    bad = [Said("I pass on this."), Said(None), Said("[pass]", finish="length"), Said("[build:moon]", usage=None)]

    def behave(number: int, body: dict[str, Any]) -> Said:
        return bad[number] if number < 4 else drawn_move(number, body)

    with chat_server(behave) as (url, heard):
        result = match(file, url, three_seats(options=TextOptions(retries=4)))
    roles = [message["role"] for message in heard[4].body["messages"]]
    assert roles == ["system", "user", *["assistant", "user"] * 4]
    told = [message["content"] for message in heard[4].body["messages"][2:]]
    assert (told[0], told[2], told[4]) == ("I pass on this.", "(no answer)", "[pass]")
    assert "No move was found" in told[1]
    assert told[5].startswith(BRIEFLY)
    tally = result.tally
    assert (tally.refused, tally.empty, tally.cut_off, tally.uncounted) == (4, 1, 1, 1)
    assert result.cost is None
    assert len(heard[5].body["messages"]) == 2


def test_the_last_retry_forfeits_the_game(file: Path) -> None:
    with chat_server(lambda number, body: Said("Hello!")) as (url, heard):
        result = match(file, url, three_seats(options=TextOptions(retries=1)), 2)
        match(file, url, three_seats(options=TextOptions(retries=1)), 2)
    assert len(heard) == 4
    assert (result.wins, result.to_dict()["forfeited"]) == (0, 2)
    assert result.to_dict()["rows"][1]["forfeited"] is True


def test_the_solitaire_game_and_a_position_without_the_rules(file: Path) -> None:
    settings = ModelMatchSettings(
        "toy", (), GameConfig("solo"), 3, TextOptions(legal_moves="list", primer=False, form="json")
    )
    with chat_server() as (url, heard):
        result = match(file, url, settings)
    assert len(heard[0].body["messages"]) == 1
    assert result.wins in (0, 1)
    assert len(result.games[0]["scores"]) == 2


@pytest.mark.parametrize(
    ("first", "why", "pause"),
    [
        (Said("slow down", status=429, headers=(("Retry-After", "7"),)), "429 Too Many Requests, slow down", 7),
        (Said(status=429, headers=(("Retry-After", "Thu, 01 Jan 2026 00:00:00 GMT"),)), "429", 0),
        (Said(status=503), "503 Service Unavailable", None),
        (Said(body=b"<html>"), "the answer is not JSON", None),
        (Said(body=b'{"error": {"message": "no room"}}'), "the answer holds no choice: no room", None),
        (Said(body=CUT), "the connection broke off", None),
        (Said(pause=4), "no answer within 1.5 s", None),
    ],
)
def test_what_may_pass_is_asked_again(first: Said, why: str, pause: float | None, no_pauses: list[float]) -> None:
    reasons: list[str] = []

    def behave(number: int, body: dict[str, Any]) -> Said:
        return first if number == 0 else Said("[pass]")

    with chat_server(behave) as (url, heard):
        asked = Endpoint(url, "toy", seconds=1.5 if why.startswith("no answer") else 20)
        asked.waits = lambda seconds, reason: reasons.append(reason)
        answer = asked.ask([{"role": "user", "content": "?"}])
    assert (answer.text, answer.requests, len(heard)) == ("[pass]", 2, 2)
    assert reasons[0].startswith(why)
    assert no_pauses == [pause] if pause is not None else 0.5 <= no_pauses[0] <= 1


@pytest.mark.parametrize(
    ("behave", "why"),
    [
        (lambda number, body: Said("bad key", status=401), "refuses: 401 Unauthorized, bad key; set the key"),
        (lambda number, body: Said(status=404), "404 Not Found; look at --base-url"),
        (lambda number, body: Said("no such field", status=400), "refuses: 400 Bad Request, no such field"),
        (lambda number, body: Said(status=302, headers=(("Location", "http://example.org/"),)), "refuses: 302 Found"),
        (lambda number, body: Said(status=500), "failed 3 times, at last: 500 Internal Server Error"),
        (lambda number, body: Said(status=429, headers=(("Retry-After", "86400"),)), "asks to wait 86400 s"),
    ],
)
def test_what_does_not_pass_is_one_sentence(behave: Behaviour, why: str, no_pauses: list[float]) -> None:
    with chat_server(behave) as (url, _), pytest.raises(EndeavorError, match=why):
        Endpoint(url, "toy", attempts=3).ask([{"role": "user", "content": "?"}])
    assert len(no_pauses) == (2 if "3 times" in why else 0)


def test_pauses_grow_to_a_limit(no_pauses: list[float]) -> None:
    with pytest.raises(EndeavorError, match="no connection: Connection refused"):
        Endpoint("http://127.0.0.1:1", "toy", attempts=10).ask([])
    assert all(2**number / 2 <= pause <= 2**number for number, pause in enumerate(no_pauses[:6]))
    assert all(30 <= pause <= 60 for pause in no_pauses[6:])


@pytest.mark.parametrize(
    "url", ["", "localhost:8000", "ftp://host", "http://", "http://host:x", "http://a b", "http://h/?a"]
)
def test_addresses_that_are_none(url: str) -> None:
    with pytest.raises(InvalidOptionError, match="write it as http://host:port/v1"):
        Endpoint(url, "toy")
    with pytest.raises(InvalidOptionError, match="keys stand in the environment"):
        Endpoint("http://user:secret@host/v1", "toy")


def test_a_file_of_another_match_or_an_edited_one_is_refused(file: Path) -> None:
    with chat_server() as (url, _):
        match(file, url, three_seats())
        with pytest.raises(InvalidOptionError, match=r'holds a match with model "toy", not "other"'):
            match(file, url, ModelMatchSettings("other", TWO, GameConfig(players=3), 5))
        lines = file.read_text(encoding="utf-8").splitlines()
        other = json.loads(lines[3])
        file.write_text("\n".join([*lines[:3], json.dumps({**other, "moves": ["pass"]}), ""]))
        with pytest.raises(EndeavorError, match="game 0 was edited"):
            match(file, url, three_seats())
        end = json.loads(lines[-1])
        odd = [{"usage": {"prompt_tokens": "x"}}, {"requests": -1}, {"requests": 10**400}, {"seconds": 10**400}]
        odd += [{"seconds": -1}, {"finish": 3}, {"move": ["pass"]}, {"moves": [["pass"]]}, {"game": 0.0}]
        without = [{name: value for name, value in other.items() if name != left} for left in ("move", "finish")]
        odd_ends = [{"seat": 9}, {"share": 10**400}, {"share": 1.5}, {"scores": [10**400] * 3}, {"scores": ["1"] * 3}]
        for edited in (*({**other, **one} for one in odd), *without, *({**end, **one} for one in odd_ends), {}):
            file.write_text("\n".join([*lines[:3], json.dumps(edited), ""]))
            with pytest.raises(EndeavorError, match=r"line 4 of .* was edited"):
                match(file, url, three_seats())
        file.write_text("\n".join([*lines[:3], "{}", ""]))
        with pytest.raises(EndeavorError, match=r"line 4 of .* was edited"):
            match(file, url, three_seats())
        file.write_text("{}\n")
        with pytest.raises(InvalidOptionError, match="is no match of a language model"):
            match(file, url, three_seats())


def test_the_command(tmp_path: Path, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", "secret")
    with chat_server() as (url, heard):
        words = [*TWO, "--model", "toy", "--base-url", url, "--key-from", "MY_KEY", "--games", "1", "--out", str(file)]
        words += ["--set", "temperature=0.5", "--set", "reasoning_effort=low", "--price-in", "1", "--price-out", "2"]
        done = run_command(MODULE, *words, "--json", "-")
        assert done.status == 0, done.err
        assert heard[0].key == "Bearer secret"
        assert heard[0].body["reasoning_effort"] == "low"
    value = json.loads(done.out)
    assert value["told"]["retries"] == 2
    assert value["cost"] > 0
    assert "cost a game" in done.err
    assert run_command(MODULE, *words, "--json", "-").out == done.out  # all is played: nobody is asked
    later = run_command(MODULE, *words, "--games", "2", "--attempts", "1", "--json", str(tmp_path / "no.json"))
    assert later.status == 2
    assert "no connection: Connection refused (the same command goes on from here)" in later.err
    assert "95" in later.out or "wins" in later.out
    assert not (tmp_path / "no.json").exists()


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--model", "toy", "random"], "players=2 does not fit variant 'standard': it takes 3 to 5 players"),
        (["random", "random"], "the model has no name: give --model"),
        (["--model", "toy", "nobody", "random"], "agent 'nobody' is unknown"),
        (["--model", "toy", *TWO, "--set", "x"], "write it as name=value"),
        (["--model", "toy", *TWO, "--set", "model=x"], "model is not to be set"),
        (["--model", "toy", *TWO, "--legal-moves", "all"], "legal_moves='all' is not possible"),
        (["--model", "toy", *TWO, "--price-in", "1"], "a cost needs both"),
        (["--model", "toy", *TWO, "--timeout", "0"], "timeout=0.0 is not possible"),
        (["--model", "toy", *TWO, "--seed", "-1"], "seed=-1"),
        (["--model", "toy", "random", "--variant", "solo"], "1 agents do not fit a game of 1 seats"),
    ],
)
def test_mistakes_are_one_sentence(words: list[str], why: str, file: Path) -> None:
    done = run_command(MODULE, *words, "--out", str(file))
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("error: ")
    assert why in done.err
    assert not file.exists()


def test_fields_of_requests() -> None:
    assert read_fields(["a=1", "b=x y", 'c={"d": [true]}']) == {"a": 1, "b": "x y", "c": {"d": [True]}}
