"""Endpoints that answer slowly, without end, with odd numbers, or with what they were not asked: one sentence each."""

from __future__ import annotations

import contextlib
import json
import socketserver
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from endeavor_env.agents.words.endpoint import MOST_BYTES, Endpoint
from endeavor_env.errors import EndeavorError, InvalidOptionError
from tests.kits.chat_server import Said, chat_server, drawn_move
from tests.kits.commands import run_command

Send = Callable[[bytes], None]
KEY = "sk-0123456789"
GOOD = json.dumps({"choices": [{"message": {"content": "[pass]"}, "finish_reason": "stop"}]}).encode()
OK = b"HTTP/1.1 200 OK\r\n"


@contextmanager
def server(answer: Callable[[Send], None]) -> Iterator[str]:
    """Serve whatever ``answer`` sends, and yield the base URL."""

    class Handler(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            headers = list(iter(self.rfile.readline, b"\r\n"))
            self.rfile.read(next(int(line[15:]) for line in headers if line.lower().startswith(b"content-length:")))
            with contextlib.suppress(OSError):  # nobody listens any more
                answer(self.request.sendall)

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler) as serving:
        serving.daemon_threads = True
        threading.Thread(target=serving.serve_forever, args=(0.01,), daemon=True).start()
        yield f"http://127.0.0.1:{serving.server_address[1]}/v1"
        serving.shutdown()


def without_end(first: bytes, again: bytes) -> Callable[[Send], None]:
    """Send something, and then the same again and again, a little slower than an eye sees."""

    def answer(send: Send) -> None:
        send(first)
        while True:
            send(again)
            time.sleep(0.02)

    return answer


def at_once(content: bytes) -> Callable[[Send], None]:
    """Send this."""
    return lambda send: send(content)


def failure(url: str, seconds: float = 60, key: str | None = KEY) -> str:
    """What is said of an answer to one request."""
    with pytest.raises(EndeavorError) as refused:
        Endpoint(url, "toy", key, seconds=seconds, attempts=1).ask([{"role": "user", "content": "?"}])
    return str(refused.value)


@pytest.mark.parametrize(
    "answer",
    [
        without_end(b"", b""),
        without_end(b"HTTP/1.1 200", b" "),
        without_end(OK + b"X: ", b"x"),
        without_end(OK, b"X: x\r\n"),
        without_end(b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
        without_end(b"", b"HTTP/1.1 100 Continue\r\nX: x\r\n\r\n"),
        without_end(OK + b"\r\n", b" "),
        without_end(OK + b"Content-Length: 9999\r\n\r\n", b" "),
        without_end(OK + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\nx\r\n"),
        without_end(OK + b"Transfer-Encoding: chunked\r\n\r\n0\r\n", b"X: x\r\n"),
        without_end(b"HTTP/1.1 500 Oh\r\n\r\n", b" "),
        without_end(b"HTTP/1.1 401 No\r\n", b"X: x\r\n"),
    ],
)
def test_all_of_an_answer_together_has_one_time(answer: Callable[[Send], None]) -> None:
    before = set(threading.enumerate())
    with server(answer) as url:
        said = failure(url, seconds=0.3)
        assert "no answer within 0.3 s" in said or "has more than" in said or "got more than 100 headers" in said
        waiting = [one for one in set(threading.enumerate()) - before if one.name.startswith("ThreadPoolExecutor")]
        for one in waiting:
            one.join(30)
            assert not one.is_alive(), "somebody still listens"


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        *((OK + f"Content-Length: {length}\r\n\r\n".encode() + GOOD, "in place of its number of bytes")
          for length in ("x", "-1", "1e3", "9" * 5000, "\u00b2", "0x10", "1_000", "")),
        (OK + b"Content-Length: 999999999999\r\n\r\n" + GOOD, "the connection broke off"),
        (OK + b"Transfer-Encoding: chunked\r\n\r\n-5\r\n" + GOOD, "the connection broke off"),
        (OK + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n" + GOOD, "the connection broke off"),
        (b"HTTP/1.1 500 Oh\r\nTransfer-Encoding: chunked\r\n\r\n-5\r\n" + GOOD, "500 Oh"),
        (b"HTTP/1.1 500 Oh\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n" + GOOD, "500 Oh"),
        (b"HTTP/1.1 500 Oh\r\nRetry-After: nan\r\n\r\n", "500 Oh"),
        (b"HTTP/1.1 500 Oh\r\nRetry-After: Thu, 01 Jan 2026 00:00:00 +99999999999\r\n\r\n", "500 Oh"),
        (b"HTTP/1.1 2000 OK\r\n\r\n", "the connection broke off"),
        (b"\x1b[31mHello\r\n\r\n", "the connection broke off"),
        (b"HTTP/1.1 200 OK\r\n" + b"X: x\r\n" * 200 + b"\r\n" + GOOD, "the connection broke off"),
        (b"HTTP/1.1 200 OK\r\nX: " + b"x" * 100_000 + b"\r\n\r\n" + GOOD, "the connection broke off"),
        (OK + b"\r\n" + b" " * (MOST_BYTES + 1), "has more than"),
        (OK + b"\r\n" + b"[" * 100_000, "is not JSON"),
        (OK + b"\r\n" + b"1" * 10_000, "is not JSON"),
        (OK + b"\r\n\xff\xfe", "is not JSON"),
        (OK + b"\r\n[]", "holds no choice"),
        (b"", "the connection broke off"),
    ],
)  # fmt: skip
def test_an_odd_answer_is_one_sentence(answer: bytes, why: str) -> None:
    with server(at_once(answer)) as url:
        said = failure(url)
    assert why in said
    assert said.isprintable()
    assert len(said) < 400


@pytest.mark.parametrize(
    "body",
    [
        json.dumps({"error": {"message": f"bad \x1b]0;title\x07 \u202e key {KEY}"}}).encode(),
        json.dumps({"error": {"message": KEY}}).encode(),
    ],
)
def test_neither_a_key_nor_a_sequence_for_the_terminal_is_said(body: bytes) -> None:
    for status in (b"401 No ", b"500 Oh ", b"302 Found ", b"200 OK "):
        with server(at_once(b"HTTP/1.1 " + status + b"\x1b[2J" + KEY.encode() + b"\r\n\r\n" + body)) as url:
            said = failure(url)
        assert KEY not in said
        assert said.isprintable()
    with server(at_once(f"{KEY}\x1b[2J\r\n\r\n".encode())) as url:
        assert KEY not in failure(url)


def test_a_key_is_in_no_answer_and_in_no_text_about_the_endpoint() -> None:
    def behave(number: int, body: dict[str, Any]) -> Said:
        return Said(f"Your key is {KEY}. [pass]", finish=KEY)

    with chat_server(behave) as (url, heard):
        endpoint = Endpoint(url, "toy", KEY)
        answer = endpoint.ask([{"role": "user", "content": "?"}])
    assert heard[0].key == f"Bearer {KEY}"
    assert (answer.text, answer.finish) == ("Your key is [key]. [pass]", "[key]")
    assert KEY not in repr(endpoint)


@pytest.mark.parametrize(
    "key", ["two\nlines", "sk-last\n", " sk-first", "sk-return\r", "sk-null\0", "umlaut-\u00e4", "bidi-\u202e"]
)
def test_a_key_that_no_header_takes_is_refused_and_not_said(key: str) -> None:
    with pytest.raises(InvalidOptionError, match="the key is not possible: it has a line break") as refused:
        Endpoint("http://localhost/v1", "toy", key)
    assert key.strip() not in str(refused.value)


@pytest.mark.parametrize("url", ["http://host/v1?key=secret", "http://u:secret@host/v1?x", "http://u:secret@h:x/"])
def test_a_key_in_an_address_is_not_said(url: str) -> None:
    with pytest.raises(InvalidOptionError) as refused:
        Endpoint(url, "toy")
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize(
    "url", ["http://h\u00f6st/v1", "http://host/v\u00b9", f"http://{'a' * 70}.org/v1", "http://.a/v1"]
)
def test_an_address_that_no_request_takes_is_refused(url: str) -> None:
    with pytest.raises(InvalidOptionError, match="write it as http://host:port/v1"):
        Endpoint(url, "toy")


def test_the_numbers_of_tokens_are_numbers() -> None:
    usage = {"prompt_tokens": 10**400, "completion_tokens": -1, "prompt_tokens_details": {"cached_tokens": True}}
    with chat_server(lambda number, body: Said("[pass]", usage=usage)) as (url, _):
        assert Endpoint(url, "toy").ask([{"role": "user", "content": "?"}]).usage == {}


def test_the_command_says_no_key_and_hands_it_to_no_player(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    player = tmp_path / "player.py"
    player.write_text(
        "import json, os, sys\n"
        "for line in sys.stdin:\n"
        "    said = json.loads(line)\n"
        "    if said['type'] == 'hello':\n"
        "        print(json.dumps({'type': 'hello', 'protocol': 'endeavor-player/1'}), flush=True)\n"
        "    elif said['type'] == 'act':\n"
        "        print(json.dumps({'type': 'error', 'id': said['id'], 'text': repr(dict(os.environ))}), flush=True)\n"
    )
    monkeypatch.setenv("MY_KEY", KEY)
    words = ["random", f"process:{sys.executable} {player},seconds=60", "--model", "toy", "--key-from", "MY_KEY"]
    words += ["--games", "1", "--out", str(tmp_path / "words.jsonl"), "--json", str(tmp_path / "words.json")]

    def echo(number: int, body: dict[str, Any]) -> Said:
        said = drawn_move(number, body)
        return said._replace(text=f"{KEY} {said.text}")

    with chat_server(echo) as (url, heard):
        done = run_command("endeavor_env.agents.words", *words, "--base-url", url)
    assert done.status == 0, done.err
    assert heard[0].key == f"Bearer {KEY}"
    texts = [done.out, done.err, *((tmp_path / name).read_text() for name in ("words.jsonl", "words.json"))]
    assert "'PATH'" in texts[3]
    assert not any(KEY in text for text in texts)
    monkeypatch.setenv("MY_KEY", f"{KEY}\n{KEY}")
    done = run_command("endeavor_env.agents.words", *words, "--base-url", "http://127.0.0.1:1/v1", "--force")
    assert done.status == 2
    assert "error: the key is not possible" in done.err
    assert KEY not in done.err
