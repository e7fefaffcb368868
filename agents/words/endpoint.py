"""An OpenAI-compatible endpoint: chat completions over HTTP, and what is done when one does not come."""

from __future__ import annotations

import http.client
import json
import random
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from time import monotonic, sleep
from typing import Any, NamedTuple, NoReturn
from urllib.parse import urlsplit

from endeavor_env.errors import EndeavorError, InvalidOptionError, named, shown

ATTEMPTS = 8
SECONDS = 300.0
"""For an answer."""
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 60.0
"""Seconds before another attempt; each is twice the last one, and drawn from its half to all of it."""
LONGEST_ASKED = 900.0
"""Seconds that an endpoint may ask to wait."""
MOST_BYTES = 1 << 23
CUT_OFF = "length"
"""How an answer has ended that was longer than it may be."""
Message = dict[str, str]


class Answer(NamedTuple):
    """What a model answered."""

    text: str
    """May be empty."""
    finish: str | None
    """Why it ended, as the endpoint says: "stop", or "length" if it was cut off."""
    usage: dict[str, int]
    """Numbers of tokens by the endpoint's names, as "prompt_tokens"; empty if it does not count."""
    seconds: float
    """Until it was there, without pauses and attempts that failed."""
    requests: int
    """How many requests it took."""


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


def _print_nothing(seconds: float, why: str) -> None:
    """Say nothing about a pause."""


@dataclass
class Endpoint:
    """Where a model answers.

    Raises:
        InvalidOptionError: An address that is none.
    """

    base_url: str
    """Of the API, as "http://localhost:8000/v1"."""
    model: str
    key: str | None = None
    """Sent with every request; None for none."""
    fields: Mapping[str, Any] | None = None
    """Other fields of each request, as {"temperature": 0}."""
    seconds: float = SECONDS
    """For an answer."""
    attempts: int = ATTEMPTS
    """Requests for one answer."""
    waits: Callable[[float, str], None] = _print_nothing
    """Is told of every pause, and why there is one."""

    def __post_init__(self) -> None:
        """Check the address."""
        try:
            parts = urlsplit(self.base_url)
            named_host = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
        except ValueError:  # no port, or half of an IPv6 address
            parts, named_host = urlsplit(""), False
        odd = " " in self.base_url or not self.base_url.isprintable() or parts.query or parts.fragment
        if odd or not named_host:
            raise InvalidOptionError(
                f"base-url={shown(self.base_url)} is not possible: write it as http://host:port/v1"
            )
        if parts.username is not None:
            raise InvalidOptionError("base-url is not possible: keys stand in the environment, not in an address")
        self._opener = urllib.request.build_opener(_NoRedirects)

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
        try:
            with self._opener.open(request, timeout=self.seconds) as response:
                content = self._read(response)
        except urllib.error.HTTPError as error:
            with error:
                self._refuse(error)
        except TimeoutError as error:
            raise _AgainError(f"no answer within {self.seconds:g} s") from error
        except urllib.error.URLError as error:
            late = isinstance(error.reason, TimeoutError)
            why = getattr(error.reason, "strerror", None) or error.reason
            raise _AgainError(f"no answer within {self.seconds:g} s" if late else f"no connection: {why}") from error
        except (OSError, http.client.HTTPException) as error:
            raise _AgainError(f"the connection broke off: {error or type(error).__name__}") from error
        return _read_answer(content)

    def _read(self, response: http.client.HTTPResponse) -> bytes:
        """Return the whole content, however slowly it comes, or raise TimeoutError."""
        end, parts, size = monotonic() + self.seconds, list[bytes](), 0
        while part := response.read1(1 << 16):
            parts.append(part)
            size += len(part)
            if monotonic() > end:
                raise TimeoutError
            if size > MOST_BYTES:
                raise _AgainError(f"the answer has more than {MOST_BYTES:,} bytes")
        expected = response.headers.get("Content-Length", "")
        if expected.isdecimal() and size < int(expected):
            raise http.client.IncompleteRead(b"", int(expected) - size)
        return b"".join(parts)

    def _refuse(self, error: urllib.error.HTTPError) -> NoReturn:
        """Raise _AgainError for a status that may pass, and EndeavorError for one that will not."""
        try:
            why, code = _message_of(error.read(1 << 16))
        except (OSError, http.client.HTTPException):
            why, code = "", ""
        said = f"{error.code} {error.reason}" + (f", {why}" if why else "")
        passes = error.code in (408, 409, 425, 429) or error.code >= 500
        if passes and code != "insufficient_quota":
            raise _AgainError(said, _retry_after(error.headers.get("Retry-After")))
        hint = {
            401: "set the key in the environment, see --key-from",
            403: "the key may not do this",
            404: "look at --base-url, which often ends in /v1, and --model",
        }.get(error.code)
        raise EndeavorError(f"{self.base_url} refuses: {said}" + (f"; {hint}" if hint else ""))


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
    except (ValueError, TypeError):
        return None


def _message_of(content: bytes) -> tuple[str, str]:
    """Return the message and the code in the body of an error; empty texts if it has none."""
    try:
        value = json.loads(content)
    except (ValueError, RecursionError):
        return "", ""
    error = value.get("error", value) if isinstance(value, dict) else value
    fields = error if isinstance(error, dict) else {"message": error}
    message = fields.get("message")
    return named(message[:200]) if isinstance(message, str) and message else "", str(fields.get("code"))


def _read_answer(content: bytes) -> tuple[str, str | None, dict[str, int]]:
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
        message = _message_of(content)[0]
        raise _AgainError(f"the answer holds no choice{f': {message}' if message else ''}") from error
    if isinstance(text, list):
        parts = [part.get("text") for part in text if isinstance(part, dict)]
        text = "".join(part for part in parts if isinstance(part, str))
    text = text.encode("utf-8", "replace").decode() if isinstance(text, str) else ""
    return text, finish if isinstance(finish, str) else None, _usage(value.get("usage"))


def _usage(value: Any) -> dict[str, int]:
    """Return the numbers of tokens that a completion says."""
    if not isinstance(value, dict):
        return {}
    details = value.get("prompt_tokens_details")
    cached = details.get("cached_tokens") if isinstance(details, dict) else None
    numbers = {name: value.get(name) for name in ("prompt_tokens", "completion_tokens")} | {"cached_tokens": cached}
    return {name: number for name, number in numbers.items() if type(number) is int and number >= 0}
