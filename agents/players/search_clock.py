"""The time of a decision, in simulations: how many more fit into it."""

from __future__ import annotations

from time import perf_counter

_FORMER = 10.0
"""As many simulations those of former decisions count as, most."""
_LEAST_SECONDS = 1e-9


class SearchClock:
    """Measures how long simulations take, and says how many more fit into the time for a decision."""

    def __init__(self, seconds: float) -> None:
        """Make a clock for decisions of ``seconds``, by the clock on the wall."""
        self._seconds = seconds
        self._made, self._spent = 0.0, 0.0
        self._begun = self._last = 0.0

    def begin(self) -> None:
        """Begin a decision."""
        if self._made > _FORMER:
            self._spent *= _FORMER / self._made
            self._made = _FORMER
        self._begun = self._last = perf_counter()

    def more(self) -> int:
        """Note that a simulation was made; return how many more fit in, 0 or less for none."""
        now = perf_counter()
        self._made += 1
        self._spent += now - self._last
        self._last = now
        left = self._seconds - (now - self._begun)
        return round(left * self._made / max(self._spent, _LEAST_SECONDS))
