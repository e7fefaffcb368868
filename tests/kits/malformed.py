"""Two hundred requests that must not harm a game: wrong tokens, huge bodies, strange paths, moves and origins."""

from __future__ import annotations

import http.client
import json
import socket
from collections.abc import Iterator
from typing import Any, NamedTuple

from tests.kits.play_server import Begun, PlayServer

HUGE = 50_000_000
JSON = {"Content-Type": "application/json"}
ATTACKED = ("/", "/games", "/choices", "/nowhere", "/open")
TRAVERSALS = (
    *("/../../etc/passwd", "/..%2f..%2f..%2fetc%2fpasswd", "/games/../../etc/passwd", "/games/%2e%2e%2f%2e%2e%2fetc"),
    *("/games/..%5c..%5cwindows", "/games/%00", "/games/a%00.json", "//etc/passwd", "/games//etc/passwd", "/games/~"),
    *("/play.js", "/play.py", "/agents/play/app.py", "/games/%ff%fe", "/games/" + "a" * 3000, "/games/%F0%9F%9A%A2"),
    *("/games/play.lock", "/games/%2e%2e/record", "/static/../app.py", "/;/../etc", "/games/{name}", "/%"),
)


class Sent(NamedTuple):
    """A request and the statuses that may answer it."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes
    statuses: tuple[int, ...]


def malformed(begun: Begun) -> Iterator[Sent]:
    """Every kind of request that is refused; nothing of it may reach the game."""
    yield from _strangers(begun)
    token = {"X-Token": begun.server.token}
    for path in TRAVERSALS:
        yield Sent("GET", path, token, b"", (404,))
        yield Sent("POST", path, {**token, **JSON}, b"{}", (404, 405))
    for method in ("PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "BREW"):
        for path in ("/", "/games", f"/games/{begun.name}", f"/games/{begun.name}/play"):
            yield Sent(method, path, token, b"", (405,))
    yield from _bodies(begun, {**token, **JSON})


def _strangers(begun: Begun) -> Iterator[Sent]:
    """Requests without the token, and those of other sites with it."""
    server, game = begun.server, f"/games/{begun.name}"
    for path in (*ATTACKED, game, f"{game}/record", f"{game}/replay"):
        for token in ("", "wrong", server.token[:-1], server.token + "x", server.token.upper(), "\xff" * 40):
            yield Sent("GET", path, {"X-Token": token}, b"", (403,))
        yield Sent("GET", f"{path}?token=&token={server.token}x", {}, b"", (403,))
        for origin in ("http://evil.example", "null", f"http://localhost.evil:{server.port}"):
            yield Sent("POST", path, {"X-Token": server.token, "Origin": origin, **JSON}, b"{}", (403,))
        yield Sent("GET", path, {"X-Token": server.token, "Host": "evil.example"}, b"", (403,))


def _bodies(begun: Begun, headers: dict[str, str]) -> Iterator[Sent]:
    """Requests with the token whose bodies are refused."""
    game, position = f"/games/{begun.name}", begun.state()["position"]
    for path in (f"{game}/play", f"{game}/undo", f"{game}/hint", "/games"):
        for body in (b"", b"{", b"[]", b"null", b'"x"', b"\xff", b"[" * 5000, b"{}", b'{"position": [], "seats": 3}'):
            yield Sent("POST", path, headers, body, (400,))
        yield Sent("POST", path, {**headers, "Content-Type": "text/plain"}, b"{}", (415,))
        yield Sent("POST", path, headers, b" " * 100_000, (413,))
    for move in ("", "pass:", "occupy:atlantis", "attack:london", "\ud800", "x" * 4000, "../..", "done", "take:glory"):
        yield Sent("POST", f"{game}/play", headers, json.dumps({"position": position, "move": move}).encode(), (400,))
    for stale in ("", "0-0", position + "x", "-1", "\x00"):
        text = json.dumps({"position": stale, "move": "pass"}).encode()
        for action in ("play", "undo", "hint"):
            yield Sent("POST", f"{game}/{action}", headers, text, (409,))
    for file in ({}, {"format": "endeavor-session/1"}, {"format": "endeavor-game/1", "moves": 3}, [], 3):
        yield Sent("POST", "/open", headers, json.dumps({"file": file}).encode(), (400,))


def send(server: PlayServer, sent: Sent) -> tuple[int, dict[str, Any]]:
    """Send a request as it is, without anything that a client would put right; return status and answer."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    try:
        connection.putrequest(sent.method, sent.path, skip_host="Host" in sent.headers, skip_accept_encoding=True)
        for name, value in sent.headers.items():
            connection.putheader(name, value)
        connection.putheader("Content-Length", str(len(sent.body)))
        connection.endheaders(sent.body)
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())
    finally:
        connection.close()


def send_raw(server: PlayServer, data: bytes) -> bytes:
    """Send bytes that may be no HTTP at all, and return the beginning of what comes back."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=30) as connection:
        connection.sendall(data)
        connection.shutdown(socket.SHUT_WR)
        return connection.recv(4096)


def raw_requests(begun: Begun) -> Iterator[tuple[bytes, bytes]]:
    """Bytes that are no proper requests, or promise a body that never comes, and how the answer begins."""
    head = f"POST /games/{begun.name}/play HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Token: {begun.server.token}\r\n"
    kind = "Content-Type: application/json\r\n"
    chunk = b"4000\r\n" + b" " * 0x4000 + b"\r\n"
    yield b"nonsense\r\n\r\n", b"HTTP/1.1 400"
    yield b"GET / HTTP/9.9\r\n\r\n", b"HTTP/1.1 40"
    yield f"{head}{kind}Content-Length: {HUGE}\r\n\r\n".encode(), b"HTTP/1.1 413"
    yield f"{head}{kind}Content-Length: x\r\n\r\n".encode(), b"HTTP/1.1 400"
    yield f"{head}{kind}Transfer-Encoding: chunked\r\n\r\n".encode() + chunk + b"0\r\n\r\n", b"HTTP/1.1 413"
    yield b"GET /games HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Token: \xff\xfe\r\n\r\n", b"HTTP/1.1 403"


def refuse_all(begun: Begun) -> int:
    """Send everything; assert that each request is refused in one sentence; return how many were sent."""
    count = 0
    for sent in malformed(begun):
        status, answer = send(begun.server, sent)
        assert status in sent.statuses, (sent.method, sent.path[:80], sent.headers, sent.body[:80], status, answer)
        assert list(answer) == ["error"], answer
        assert "\n" not in answer["error"], answer
        assert "Traceback" not in answer["error"], answer
        count += 1
    for data, expected in raw_requests(begun):
        assert send_raw(begun.server, data).startswith(expected), data[:80]
        count += 1
    return count
