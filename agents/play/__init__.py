"""Playing in the browser: the local page of ``endeavor play`` (docs/play.md).

What the page does beyond what players are told:

- **Layout.** The list of moves is below the board, or on its right in a window 1500 pixels wide. Where the board is
  larger than its place, with letters that can be read, it scrolls to the places with a move. On a small screen games
  that have been begun stand first in the list, and a tap beside a thing means the nearest one within 22 pixels; on a
  map that is zoomed out, where such places lie on each other, the thing that is touched is meant, by a finger and by
  the mouse.
- **Focus.** After a move from the list the first of the next ones has the focus, and Pass and Stop only if there is
  nothing else; a key that is held makes one move.
- **Explanations.** With a mouse, rest on a thing, or click it to keep the explanation. With a finger, a tap explains,
  and a second tap or the button below makes the move. Escape closes.
- **Merchants of Europe.** Offers are made item by item, and answered by a button; the bar at the top says what is
  offered. On a small screen the hands are behind a tab.
- **Two tabs.** Every move names the position that it is about. If the game has gone on, in another tab or by an agent,
  the server answers 409, and the page says so and shows the present position.
- **Refusals** are answered with a page to read, or in JSON, ``{"error": "one sentence"}``.

``agents/watch`` has the page on which a match is followed, ``agents/local_page`` what every local page needs.
``how_to_play.html`` is made from docs/how_to_play.md by ``python docs/make``. The tests in
``tests/browser`` play whole games by clicks in Chromium. Without Chromium and chromedriver they are skipped; with
``ENDEAVOR_REQUIRE_BROWSER=1``, as in ``.ci/run``, they fail then.
"""

from __future__ import annotations
