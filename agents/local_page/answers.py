"""Answers of local pages: JSON to programs, and to a person who opens an address a page to read."""

from __future__ import annotations

import base64
import hashlib
import html
import json
from collections.abc import Mapping

from starlette.datastructures import Headers
from starlette.responses import HTMLResponse, Response

_STYLE = """
:root { color-scheme: light dark; }
body { max-width: 34em; margin: 12vh auto 0; padding: 0 20px; font: 17px/1.5 system-ui, Helvetica, sans-serif; }
h1 { font-size: 22px; }
"""
_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Endeavor: not shown</title>
<link rel="icon" href="data:,">
<style>{style}</style>
</head>
<body>
<main>
<h1>This page cannot be shown</h1>
<p role="alert">{sentence}</p>
<p>{advice}</p>
</main>
</body>
</html>
"""
_ADVICE = {
    403: "Go to the terminal in which the command runs and open the address that it printed, from http:// to the last "
    "character. If the command has ended, start it again: games are kept in files, and none is lost.",
    404: "Go back, or open the address that the command printed in its terminal: it leads to the list of games.",
}
_USUAL_ADVICE = "Go back and try again. What the server had to say stands above; its terminal may say more."
_HASH = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
_POLICY = f"default-src 'none'; style-src 'sha256-{_HASH}'; img-src data:; base-uri 'none'; frame-ancestors 'none'"


def json_answer(value: Mapping[str, object], status: int = 200) -> Response:
    """Return an answer in ASCII, whatever characters the request had."""
    return Response(json.dumps(value, separators=(",", ":")), status, media_type="application/json")


def refusal(headers: Headers, sentence: str, status: int) -> Response:
    """Return an answer that says in one sentence what is wrong.

    Args:
        headers: Those of the request: a browser that opens an address asks for a page, and a script for JSON.
        sentence: What is wrong.
        status: The status of the answer.
    """
    if "text/html" not in headers.get("accept", ""):
        return json_answer({"error": sentence}, status)
    said = html.escape(f"{sentence[:1].upper()}{sentence[1:].rstrip('.')}.")
    page = _PAGE.format(style=_STYLE, sentence=said, advice=_ADVICE.get(status, _USUAL_ADVICE))
    written = page.encode("utf-8", "backslashreplace")  # a request can bring halves of characters
    return HTMLResponse(written, status, headers={"Content-Security-Policy": _POLICY})
