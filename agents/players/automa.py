"""The automa: plays by the priority list of the solitaire game's Opposition, in any seat of any variant.

The kernels are in ``endeavor_env.core.policies.automa``: ``choice`` (the list), ``fallbacks`` and ``builds`` (what the
list does not say); ``docs/agents.md`` explains every choice in words.
"""

from __future__ import annotations

from endeavor_env.agents.players.compiled import CompiledAgent


class AutomaAgent(CompiledAgent):
    """Plays by the Opposition's list; there is no chance in its play, so equal positions get equal moves."""

    def __init__(self, name: str = "automa") -> None:
        """Make an agent; the first on a machine compiles its kernels."""
        super().__init__("automa", name)
