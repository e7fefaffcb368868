"""The kinds of machine that libraries are made for, and how wheels and LLVM call them."""

from __future__ import annotations

from typing import NamedTuple

from endeavor_env.kernels.loading.processor import GENERIC, LEVELS, all_levels, machine_name


class System(NamedTuple):
    """A kind of machine."""

    name: str
    """As in the names of wheels that pip asks for."""
    machine: str
    """As the package names it there ("linux-x86_64")."""
    tags: str
    """The end of the names of its wheels."""
    triple: str
    """As LLVM names it."""
    levels: tuple[str, ...] = (GENERIC,)
    """The levels of instructions that its processors have, the best first."""
    least: str = GENERIC
    """The processor that LLVM makes code for where there is one level only."""

    def processor(self, level: str) -> str:
        """Return the processor that LLVM makes code for."""
        return self.least if level == GENERIC else level

    def is_here(self) -> bool:
        """Return whether this process runs on such a machine."""
        return self.machine == machine_name()


_X86 = tuple(LEVELS)
_ALL = (
    System(
        "linux_x86_64",
        "linux-x86_64",
        "manylinux_2_17_x86_64.manylinux2014_x86_64",
        "x86_64-unknown-linux-gnu",
        _X86,
    ),
    System(
        "linux_aarch64",
        "linux-aarch64",
        "manylinux_2_17_aarch64.manylinux2014_aarch64",
        "aarch64-unknown-linux-gnu",
    ),
    System("macosx_11_0_arm64", "darwin-aarch64", "macosx_11_0_arm64", "arm64-apple-macosx11.0.0", least="apple-m1"),
    System("macosx_11_0_x86_64", "darwin-x86_64", "macosx_11_0_x86_64", "x86_64-apple-macosx11.0.0", _X86),
    System("win_amd64", "win32-x86_64", "win_amd64", "x86_64-pc-windows-msvc", _X86),
)
SYSTEMS = {system.name: system for system in _ALL}
"""Those that releases have wheels for, by name."""


def this_system() -> System:
    """Return the kind of this machine, which may be one that releases have no wheel for."""
    known = (system for system in _ALL if system.is_here())
    return next(known, System("", machine_name(), "", "", all_levels()))
