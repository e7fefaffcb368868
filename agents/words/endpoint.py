"""An OpenAI-compatible endpoint: chat completions over HTTP, and what is done when one does not come."""

from __future__ import annotations

import contextlib
import http.client
import json
import random
import socket
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from time import monotonic, sleep
from typing import Any, NamedTuple, NoReturn
from urllib.parse import urlsplit

from endeavor_env.errors import EndeavorError, InvalidOptionError, named, shown

ATTEMPTS = 8
SECONDS = 300.0
"""Time limit of an answer, from the connection to its last byte."""
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 60.0
"""Seconds before another attempt; each pause is twice the last one, and drawn from its half to all of it."""
LONGEST_ASKED = 900.0
"""Longest pause that an endpoint may ask for, in seconds."""
MOST_BYTES = 1 << 22
"""Size limit of an answer."""
MOST_OF_ERROR = 1 << 16
"""Number of bytes read of the body of an error."""
MOST_TOKENS = 1 << 53
LEAST_KEY = 6
"""Shortest key, in characters, that answers are searched for: one like "none" may be a word of them."""
CUT_OFF = "length"
"""Finish reason of an answer that reached the length limit."""
Message = dict[str, str]


class Answer(NamedTuple):
    """A model's answer."""

    text: str
    """May be empty."""
    finish: str | None
    """Finish reason that the endpoint reports: "stop", or "length" if the answer was cut off."""
    usage: dict[str, int]
    """Token counts under the endpoint's names, such as "prompt_tokens"; empty if it reports none."""
    seconds: float
    """Time of the successful request, without pauses and failed attempts."""
    requests: int
    """Number of requests made for it."""


class _AgainError(Exception):
    """A request failed, and the next one may not."""

    def __init__(self, why: str, pause: float | None = None) -> None:
        super().__init__(why)
        self.pause = pause

    def __reduce__(self) -> tuple[type[_AgainError], tuple[str, float | None]]:
        """Pickle the arguments."""
        return type(self), (str(self), self.pause)


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Follows no redirect, which would carry the key to another address."""

    def redirect_request(
        self, req: urllib.request.Request, fp: Any, code: int, msg: str, headers: Any, newurl: str
    ) -> None:
        """Return None: that the answer is a redirect is what is wrong."""


class _Connections(urllib.request.HTTPHandler, urllib.request.HTTPSHandler):
    """The connection of one request, which can be cut off from another thread."""

    def __init__(self) -> None:
        super().__init__()
        self._sockets: list[socket.socket] = []
        self._is_cut = False

    def http_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        """Answer a request."""
        return self.do_open(self._held(http.client.HTTPConnection), req)

    def https_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        """Answer a request."""
        return self.do_open(self._held(http.client.HTTPSConnection), req)

    def _held(self, kind: type[http.client.HTTPConnection]) -> Any:
        connections = self

        class HeldConnection(kind):
            def connect(self) -> None:
                super().connect()
                connections._sockets.append(self.sock)
                if connections._is_cut:
                    raise TimeoutError

        return HeldConnection

    def cut(self) -> None:
        """End the connection, whatever it waits for."""
        self._is_cut = True
        for one in self._sockets:
            with contextlib.suppress(OSError):
                socket.socket.shutdown(one, socket.SHUT_RDWR)


def _print_nothing(seconds: float, why: str) -> None:
    """Say nothing about a pause."""


@dataclass
class Endpoint:
    """The endpoint of a model.

    Raises:
        InvalidOptionError: An address that is none, or a key that no header takes.
    """

    base_url: str
    """Of the API, as "http://localhost:8000/v1"."""
    model: str
    key: str | None = field(default=None, repr=False)
    """Sent with every request; None for none. No text says it, whatever the endpoint answers."""
    fields: Mapping[str, Any] | None = None
    """Other fields of each request, as {"temperature": 0}."""
    seconds: float = SECONDS
    """For an answer, from the connection to its last byte."""
    attempts: int = ATTEMPTS
    """Requests for one answer."""
    waits: Callable[[float, str], None] = _print_nothing
    """Is told of every pause, and why there is one."""

    def __post_init__(self) -> None:
        """Check the address and the key."""
        url = self.base_url
        try:
            parts = urlsplit(url)
            named_host = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
            str(parts.hostname).encode("idna")
        except ValueError:  # no port, half of an IPv6 address, or no name of a host
            parts, named_host = urlsplit(""), False
        if "@" in url.partition("://")[2].partition("/")[0]:
            raise InvalidOptionError("base-url is not possible: keys stand in the environment, not in an address")
        odd = " " in url or not url.isprintable() or not url.isascii() or parts.query or parts.fragment
        if odd or not named_host:
            plain = url.partition("?")[0].partition("#")[0]  # what stands behind may be a key
            raise InvalidOptionError(f"base-url={shown(plain)} is not possible: write it as http://host:port/v1")
        key = self.key
        if key is not None and (not key.isascii() or not key.isprintable() or key != key.strip()):
            raise InvalidOptionError(
                "the key is not possible: it has a line break, a space at an end or another character that no HTTP "
                "header takes"
            )

    def ask(self, messages: Sequence[Message]) -> Answer:
        """Return the answer to a conversation.

        Raises:
            EndeavorError: The endpoint refuses, or failed at every attempt.
        """
        for number in range(1, self.attempts + 1):
            try:
                start = monotonic()
                text, finish, usage = self._once(messages)
                return Answer(text, finish, usage, monotonic() - start, number)
            except _AgainError as again:
                if number == self.attempts:
                    raise EndeavorError(f"{self.base_url} failed {number} times, at last: {again}") from again
                pause = min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (number - 1)) * random.uniform(0.5, 1)
                pause = pause if again.pause is None else again.pause
                if pause > LONGEST_ASKED:
                    raise EndeavorError(f"{self.base_url} asks to wait {pause:.0f} s: {again}") from again
                self.waits(pause, str(again))
                sleep(pause)
        raise AssertionError("the last attempt returns or raises")

    def _once(self, messages: Sequence[Message]) -> tuple[str, str | None, dict[str, int]]:
        body = {**(self.fields or {}), "model": self.model, "messages": list(messages), "stream": False}
        headers = {"Content-Type": "application/json", "Accept": "application/json", "User-Agent": "endeavor-env"}
        if self.key is not None:
            headers["Authorization"] = f"Bearer {self.key}"
        address = f"{self.base_url.rstrip('/')}/chat/completions"
        request = urllib.request.Request(address, json.dumps(body).encode(), headers, method="POST")
        connections, thread = _Connections(), ThreadPoolExecutor(1)
        try:
            content = thread.submit(self._fetch, request, connections).result(self.seconds)
        except TimeoutError as error:
            raise _AgainError(f"no answer within {self.seconds:g} s") from error
        except urllib.error.URLError as error:
            late = isinstance(error.reason, TimeoutError)
            why = getattr(error.reason, "strerror", None) or error.reason
            text = f"no answer within {self.seconds:g} s" if late else f"no connection: {self._said(why)}"
            raise _AgainError(text) from error
        except (OSError, http.client.HTTPException) as error:
            raise _AgainError(f"the connection broke off: {self._said(str(error) or type(error).__name__)}") from error
        finally:
            connections.cut()
            thread.shutdown(wait=False)
        return self._read_answer(content)

    def _fetch(self, request: urllib.request.Request, connections: _Connections) -> bytes:
        """Return the content of an answer; several lines of it, and its headers, may come as slowly as they like."""
        opener = urllib.request.build_opener(_NoRedirects, connections)
        try:
            with opener.open(request, timeout=self.seconds) as response:
                content = _read(response, MOST_BYTES)
        except urllib.error.HTTPError as error:
            with error:
                self._refuse(error)
        if len(content) > MOST_BYTES:
            raise _AgainError(f"the answer has more than {MOST_BYTES:,} bytes")
        length = response.headers.get("Content-Length", "0")
        if not (length.isascii() and length.isdigit() and len(length) <= 18):
            raise _AgainError(f"the answer says {self._said(length)} in place of its number of bytes")
        if len(content) < int(length):
            raise http.client.IncompleteRead(b"", int(length) - len(content))
        return content

    def _refuse(self, error: urllib.error.HTTPError) -> NoReturn:
        """Raise _AgainError for a status that may pass, and EndeavorError for one that will not."""
        try:
            why, code = self._message_of(_read(error, MOST_OF_ERROR))
        except (OSError, http.client.HTTPException):
            why, code = "", ""
        said = f"{error.code} {self._said(error.reason)}" + (f", {why}" if why else "")
        passes = error.code in (408, 409, 425, 429) or error.code >= 500
        if passes and code != "insufficient_quota":
            raise _AgainError(said, _retry_after(error.headers.get("Retry-After")))
        hint = {
            401: "set the key in the environment, see --key-from",
            403: "the key may not do this",
            404: "look at --base-url, which often ends in /v1, and --model",
        }.get(error.code)
        raise EndeavorError(f"{self.base_url} refuses: {said}" + (f"; {hint}" if hint else ""))

    def _without_key(self, text: str) -> str:
        """Return a text of the endpoint without the key, which it may repeat."""
        return text.replace(self.key, "[key]") if self.key else text

    def _said(self, text: object) -> str:
        """Return a text of the endpoint for a message of one line."""
        return named(self._without_key(str(text))[:200])

    def _message_of(self, content: bytes) -> tuple[str, str]:
        """Return the message and the code in the body of an error; empty texts if it has none."""
        try:
            value = json.loads(content)
        except (ValueError, RecursionError):
            return "", ""
        error = value.get("error", value) if isinstance(value, dict) else value
        fields = error if isinstance(error, dict) else {"message": error}
        message = fields.get("message")
        return self._said(message) if isinstance(message, str) and message else "", str(fields.get("code"))

    def _read_answer(self, content: bytes) -> tuple[str, str | None, dict[str, int]]:
        """Return text, reason of the end and tokens of a chat completion; raise _AgainError for anything else."""
        try:
            value = json.loads(content)
        except (ValueError, RecursionError) as error:
            raise _AgainError("the answer is not JSON, it may be cut off") from error
        try:
            choice = value["choices"][0]
            message, finish = choice["message"], choice.get("finish_reason")
            text = message.get("content")
        except (KeyError, IndexError, TypeError, AttributeError) as error:
            message = self._message_of(content)[0]
            raise _AgainError(f"the answer holds no choice{f': {message}' if message else ''}") from error
        if isinstance(text, list):
            parts = [part.get("text") for part in text if isinstance(part, dict)]
            text = "".join(part for part in parts if isinstance(part, str))
        text = text.encode("utf-8", "replace").decode() if isinstance(text, str) else ""
        text = self._without_key(text) if len(self.key or "") >= LEAST_KEY else text
        finish = self._without_key(finish)[:200] if isinstance(finish, str) else None
        return text, finish, _usage(value.get("usage"))


def _read(response: Any, most: int) -> bytes:
    """Return the content of a response, or somewhat more than ``most`` bytes of it."""
    parts, size = list[bytes](), 0
    while size <= most and (part := response.read1(1 << 16)):
        parts.append(part)
        size += len(part)
    return b"".join(parts)


def _retry_after(value: str | None) -> float | None:
    """Return the seconds that a header asks to wait, which has seconds or a date; None if it says nothing."""
    if value is None:
        return None
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        return max(0.0, (parsedate_to_datetime(value) - datetime.now(UTC)).total_seconds())
    except (ValueError, TypeError, OverflowError):
        return None


def _usage(value: Any) -> dict[str, int]:
    """Return the numbers of tokens that a completion says."""
    if not isinstance(value, dict):
        return {}
    details = value.get("prompt_tokens_details")
    cached = details.get("cached_tokens") if isinstance(details, dict) else None
    numbers = {name: value.get(name) for name in ("prompt_tokens", "completion_tokens")} | {"cached_tokens": cached}
    return {name: number for name, number in numbers.items() if type(number) is int and 0 <= number < MOST_TOKENS}
