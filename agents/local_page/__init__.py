"""Pages that only this machine can open: who may ask, what is answered when something is wrong, the server."""

from __future__ import annotations
