"""Pages that only this machine can open: who may ask, what is answered when something is wrong, the server."""

from __future__ import annotations


class RefusedError(Exception):
    """A request that is not answered, with its status and one sentence."""

    def __init__(self, status: int, sentence: str) -> None:
        """Keep both."""
        super().__init__(sentence)
        self.status = status

    def __reduce__(self) -> tuple[type[RefusedError], tuple[int, str]]:
        """Pickle the arguments."""
        return type(self), (self.status, str(self))
