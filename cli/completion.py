"""Words that a shell offers when the user presses Tab.

Most are written down here, because importing what defines them takes longer than all else that a shell asks for; tests
compare the two. Names of agents are those of the list of who plays.
"""

from __future__ import annotations

from collections.abc import Callable

HUMAN = "human"
"""The name of a seat that is played in the browser."""
VARIANTS = ("standard", "solo", "soloplay_2", "soloplay_3", "neutral_2", "exploits")
DIFFICULTIES = ("easier", "normal", "harder")
BOARDS = ("endeavor_2009", "generated_0", "generated_7")
THEMES = ("light", "dark")
EVERY = ("round", "turn", "move")
EXPLOITS = (
    "random", "saltpetre", "pirates", "imperialism", "spanish_main", "voc", "jesuits", "south_sea", "galleons",
    "railroad", "venus", "sun", "spice", "globalisation", "marque", "haiti",
)  # fmt: skip
"""Values of ``--exploits``."""


Completer = Callable[[str], list[str]]
"""Returns the words that go on from what the user has typed."""


def beginning(*words: str) -> Completer:
    """Return what completes these words."""
    return lambda incomplete: [word for word in words if word.startswith(incomplete)]


def agent_names(incomplete: str) -> list[str]:
    """Return the names of agents that begin so; of those with settings what stands before the first value."""
    from endeavor_env.endeavor.players import PLAYERS

    return beginning(*(name.partition("<")[0] for name in PLAYERS.possible_names(as_agent=True)))(incomplete)


def seat_names(incomplete: str) -> list[str]:
    """Return what may sit at a table in the browser."""
    return [*beginning(HUMAN)(incomplete), *agent_names(incomplete)]


no_names = beginning()
"""Completes nothing, so that the shell offers files."""
board_names = beginning(*BOARDS)
"""Completes boards; the shell itself offers files where none begins so."""


def exploit_names(incomplete: str) -> list[str]:
    """Return Exploits: after a comma those that are not named yet."""
    before, comma, last = incomplete.rpartition(",")
    named = before.split(",")
    rest = tuple(name for name in EXPLOITS[1:] if name not in named)
    possible = EXPLOITS if not comma else () if EXPLOITS[0] in named else rest
    return [f"{before}{comma}{name}" for name in beginning(*possible)(last)]
