"""The client of the server."""
# pyright: reportMissingImports=false, reportAttributeAccessIssue=false

from __future__ import annotations

from typing import Any

from endeavor_env.openenv.models import EndeavorAction, EndeavorObservation, EndeavorState

from openenv.core import EnvClient  # isort: skip
from openenv.core.client_types import StepResult  # isort: skip


class EndeavorEnv(EnvClient[EndeavorAction, EndeavorObservation, EndeavorState]):
    """A session of a server, with a game of its own."""

    def _step_payload(self, action: EndeavorAction) -> dict[str, Any]:
        return action.model_dump()

    def _parse_result(self, payload: dict[str, Any]) -> StepResult[EndeavorObservation]:
        told = {"reward": payload.get("reward"), "done": payload.get("done", False)}
        seen = EndeavorObservation.model_validate({**payload["observation"], **told})
        return StepResult(observation=seen, **told)

    def _parse_state(self, payload: dict[str, Any]) -> EndeavorState:
        return EndeavorState.model_validate(payload)
