"""The harness that asks the model: one request for each answer, from this process and without tools."""
# pyright: reportMissingImports=false, reportAttributeAccessIssue=false

from __future__ import annotations

from collections.abc import Mapping

import verifiers.v1 as vf
from openai import AsyncOpenAI
from verifiers.v1.dialects.chat import message_to_wire


class EndeavorHarness(vf.Harness[vf.HarnessConfig]):
    """Sends the conversation so far; the default of the taskset's players.

    The ``null`` harness of verifiers does the same with a program that starts anew for each answer.
    """

    APPENDS_SYSTEM_PROMPT = True
    SUPPORTS_RESUME = True
    EXECUTES_CODE = False
    NEEDS_CONTAINER = False

    async def launch(
        self,
        ctx: vf.ModelContext,
        trace: vf.Trace,
        runtime: vf.Runtime,
        endpoint: str,
        secret: str,
        mcp_urls: Mapping[str, str],
        data: vf.TaskData,
    ) -> vf.ProgramResult:
        """Ask once; what is asked and answered stands in the trace."""
        system, prompt = self.resolve_prompt(data)
        messages = [vf.UserMessage(content=prompt)] if isinstance(prompt, str) else list(prompt or [])
        if system is not None:
            messages.insert(0, vf.SystemMessage(content=system))
        async with AsyncOpenAI(base_url=endpoint, api_key=secret, timeout=None) as client:
            await client.chat.completions.create(model=ctx.model, messages=[message_to_wire(one) for one in messages])
        return vf.ProgramResult(exit_code=0, stdout="", stderr="")
