"""What a module needs that becomes machine code of another kind of machine than the one that it was translated on."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from endeavor_env.kernels.table import FILL, MATHS, MOVE, NAMES, TABLE_SYMBOL

PAUSE = "llvm.x86.sse2.pause()"
"""How kernels say that they wait for another thread, where they are translated on x86."""
PAUSES = {"x86_64": PAUSE, "aarch64": "llvm.aarch64.hint(i32 1)", "arm64": "llvm.aarch64.hint(i32 1)"}
"""The same by the first word of a triple; elsewhere there is nothing of the kind."""
_PAUSING = re.compile(rf"^.*\bvoid @{re.escape(PAUSE)}.*$", re.MULTILINE)
_OF_THIS_MACHINE = re.compile(r"^target (?:triple|datalayout) .*$", re.MULTILINE)

_PROBE = "4C8D542408 4989C3 4981FB00100000 7213 4981EA00100000 4D8512 4981EB00100000 EBE4 4D29DA 4D8512 C3"
"""x86 code that reads each page of 4096 bytes below the caller's stack, as many bytes down as rax says.

r10 = rsp + 8; r11 = rax; while r11 >= 4096: r10 -= 4096, read [r10], r11 -= 4096; r10 -= r11; read [r10]; return.
"""
_ONLY_ON_WINDOWS = ("memcpy", MOVE, FILL, *MATHS, "__chkstk", "_fltused")
"""What LLVM calls on Windows, and every program there has in a library of its own."""


def adapted(text: str, triple: str) -> str:
    """Return the code of a module without the kind of machine that it was translated for, ready for another."""
    text = _OF_THIS_MACHINE.sub("", text)
    pause = PAUSES.get(triple.partition("-")[0])
    text = _PAUSING.sub(lambda line: _paused(line[0], pause), text)
    return _with_windows_library(text) if is_windows(triple) else text


def is_windows(triple: str) -> bool:
    """Return whether a kind of machine has Windows."""
    return "-windows" in triple


def export(module: Any, triple: str) -> None:
    """Let whoever loads a library of Windows find what the module shows; elsewhere that is so by itself."""
    if not is_windows(triple):
        return
    for thing in (*module.functions, *module.global_variables):
        shown = not thing.is_declaration and thing.linkage.name == "external"
        if shown and thing.name not in _ONLY_ON_WINDOWS:
            thing.storage_class = "dllexport"


def _paused(line: str, pause: str | None) -> str:
    """Return a line that declares or calls the pause of x86 as one for that of another machine."""
    if pause is None:
        return ""
    return line.replace(PAUSE, re.sub(r" \d+\)", ")", pause) if line.startswith("declare") else pause)


def _with_windows_library(text: str) -> str:
    """Define what LLVM calls on Windows: functions of C are those of the table."""
    defined = "|".join(("memcpy", MOVE, FILL, *MATHS))
    lines = [line for line in text.split("\n") if not re.match(rf"declare .*@(?:{defined})\(", line)]
    lines += [_by_table(name, MOVE, "ptr", ("ptr", "ptr", "i64")) for name in ("memcpy", MOVE)]
    lines.append(_by_table(FILL, FILL, "ptr", ("ptr", "i32", "i64")))
    lines += [_by_table(name, name, "double", ("double",)) for name in MATHS]
    code = ", ".join(f"i8 {byte}" for byte in bytes.fromhex(_PROBE))
    kinds = ", ".join(["i8"] * len(bytes.fromhex(_PROBE)))
    lines.append(f"define void @__chkstk() naked prologue <{{ {kinds} }}> <{{ {code} }}> {{ unreachable }}")
    lines.append("@_fltused = global i32 0")
    kept = ", ".join(f"ptr @{name}" for name in _ONLY_ON_WINDOWS)
    used = f"[{len(_ONLY_ON_WINDOWS)} x ptr] [{kept}]"
    lines.append(f'@llvm.compiler.used = appending global {used}, section "llvm.metadata"')
    return "\n".join(lines)


def _by_table(name: str, called: str, returns: str, kinds: Sequence[str]) -> str:
    """Return a function of C that calls the one at a place of the table."""
    at = f"getelementptr (ptr, ptr @{TABLE_SYMBOL}, i64 {NAMES.index(called)})"
    given = ", ".join(f"{kind} %a{place}" for place, kind in enumerate(kinds))
    return (
        f"define {returns} @{name}({given}) {{\n  %code = load ptr, ptr {at}\n"
        f"  %result = tail call {returns} %code({given})\n  ret {returns} %result\n}}"
    )
