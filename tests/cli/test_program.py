"""Messages repeat the command in the form in which the user gave it."""

from __future__ import annotations

import sys

import pytest

from endeavor_env.agents.terminal import Program, called, mounted, own_command, running


def test_a_command_is_told_as_it_was_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["td.py", "--out", "my run"])
    assert own_command("endeavor_env.training.td") == "python -m endeavor_env.training.td --out 'my run'"
    program = Program(("endeavor", "train", "td"), ("--preset", "smoke"))
    with running(program):
        assert mounted() == program
        assert own_command("endeavor_env.training.td") == "endeavor train td --preset smoke"
        assert called("endeavor_env.training.td", "--resume", "my run") == "endeavor train td --resume 'my run'"
    assert mounted() is None
    assert called("endeavor_env.training.td", "--resume", "run") == "python -m endeavor_env.training.td --resume run"
