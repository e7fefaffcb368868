"""The server: ``uvicorn endeavor_env.openenv.server:app --port 8000``."""
# pyright: reportMissingImports=false, reportAttributeAccessIssue=false

from __future__ import annotations

from typing import Any

from endeavor_env.errors import EndeavorError
from endeavor_env.openenv.environment import EndeavorEnvironment
from endeavor_env.openenv.models import EndeavorAction, EndeavorObservation, EndeavorState

from fastapi.responses import JSONResponse  # isort: skip
from openenv.core.env_server.http_server import create_app  # isort: skip

MOST_SESSIONS = 256
"""Largest number of clients that play at a time."""

app = create_app(
    EndeavorEnvironment,
    EndeavorAction,
    EndeavorObservation,
    env_name="endeavor",
    max_concurrent_envs=MOST_SESSIONS,
    state_cls=EndeavorState,
)


async def _one_sentence(request: Any, error: Exception) -> JSONResponse:
    """Return an error over HTTP as clients over the socket get it."""
    return JSONResponse({"detail": str(error)}, status_code=400)


app.add_exception_handler(EndeavorError, _one_sentence)
