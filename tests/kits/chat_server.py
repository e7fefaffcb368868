"""A small server that speaks the protocol of chat completions, and answers as well or as badly as it is told."""

from __future__ import annotations

import contextlib
import json
import random
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple


class Said(NamedTuple):
    """What the server answers."""

    text: Any = ""
    finish: str = "stop"
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    usage: Any = "counted"
    pause: float = 0.0
    body: bytes | None = None
    """In the place of everything else, cut off before its end if that is ``CUT``."""


CUT = b""
Behaviour = Callable[[int, dict[str, Any]], Said]
"""Returns what is answered to a request, given its number, from 0, and its body."""


class Heard(NamedTuple):
    """A request."""

    body: dict[str, Any]
    key: str | None
    path: str


def legal_moves(body: dict[str, Any]) -> list[str]:
    """Return the legal moves that the last message of a request lists."""
    in_json = re.search(r'"legal_moves": (\[.*?\])', body["messages"][-1]["content"])
    if in_json:
        return json.loads(in_json[1])
    told = re.findall(r"(?:Legal moves:|legal are) ([^.]*)", body["messages"][-1]["content"])
    return [move for move in told[-1].split(", ") if move != "..."]


def drawn_move(number: int, body: dict[str, Any]) -> Said:
    """Answer with a legal move that follows from the conversation alone."""
    drawn = random.Random(body["messages"][-1]["content"])
    return Said(f"I have thought about it.\n[{drawn.choice(legal_moves(body))}]")


@contextmanager
def chat_server(behaviour: Behaviour = drawn_move) -> Iterator[tuple[str, list[Heard]]]:
    """Serve; yield the base URL, and the list in which all requests are kept."""
    heard: list[Heard] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            heard.append(Heard(body, self.headers["Authorization"], self.path))
            said = behaviour(len(heard) - 1, body)
            time.sleep(said.pause)
            content = _content(said, body) if said.body is None else said.body or b'{"choices": ['
            self.send_response(said.status)
            for name, value in said.headers:
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(content) + 100 * (said.body == CUT)))
            with contextlib.suppress(ConnectionError):  # nobody waits any longer
                self.end_headers()
                self.wfile.write(content)

        def log_message(self, *arguments: Any) -> None:
            """Print nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1", heard
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _content(said: Said, body: dict[str, Any]) -> bytes:
    if said.status != 200:
        return json.dumps({"error": {"message": said.text, "code": None}}).encode()
    read = sum(len(message["content"]) for message in body["messages"]) // 4
    counted = {"prompt_tokens": read, "completion_tokens": len(str(said.text)) // 4}
    value: dict[str, Any] = {
        "choices": [{"index": 0, "message": {"role": "assistant", "content": said.text}, "finish_reason": said.finish}],
        "model": body["model"],
    }
    if said.usage is not None:
        value["usage"] = counted if said.usage == "counted" else said.usage
    return json.dumps(value).encode()
