"""From translated modules to WebAssembly: one file that a browser or node runs, for a web page that needs no server.

Numba translates for this machine, where an address has 64 bits. An address is nothing but a pointer for LLVM, so the
same module becomes code for WebAssembly, where it has 32: words that hold addresses lose their upper half, and the
sizes of records stay, since none of them holds an address.
"""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from llvmlite import binding

from endeavor_env.basics.python_child import python_command
from endeavor_env.kernels.build.back_end import emit, link, machine_of

TRIPLE = "wasm32-unknown-unknown"
FEATURES = "+simd128,+bulk-memory"
"""Features of every browser since 2023 beyond the first version: many numbers at once, and moving blocks of memory."""
STACK = 1 << 20
"""Bytes of the stack, which is at the beginning of the memory: a kernel that needs more ends with an error."""
HEAP = "__heap_base"
"""The exported number of the first byte of memory that no kernel uses by itself."""
IMPORTS = ("log", "exp")
"""Functions that whoever loads the module gives it, in ``env``: of one number, as in mathematics."""
LANES = 16
"""Flags of a vector that become bits of a number at once: LLVM 22 makes wrong code for WebAssembly of more."""
_FLAGS = re.compile(r"^  (\S+) = bitcast <(\d+) x i1> (\S+) to i\2$", re.MULTILINE)
LINKER = "wasm-ld"


class MissingLinkerError(RuntimeError):
    """There is no linker for WebAssembly; the message says how to get one."""


def linker() -> list[str]:
    """Return the command that links WebAssembly, its first words.

    Raises:
        MissingLinkerError: There is none.
    """
    found = shutil.which(LINKER)
    if found is not None:
        return [found]
    if importlib.util.find_spec("ziglang") is not None:  # a package that brings LLVM's linkers, for any system
        return python_command("-m", "ziglang", LINKER)
    raise MissingLinkerError(
        f"the linker {LINKER} of LLVM is missing: install lld (Debian: apt-get install lld; macOS: brew install lld), "
        "or the package that has it for every system (pip install ziglang)"
    )


def make_wasm(bitcodes: Sequence[Path], symbols: Sequence[str], exports: Collection[str], out: Path) -> None:
    """Write a module of WebAssembly.

    Args:
        bitcodes: What the front end wrote.
        symbols: The entries in it.
        exports: The functions that the module shows; what none of them needs is left out.
        out: The file.

    Raises:
        MissingLinkerError: There is no linker.
        RuntimeError: The linker did not take the code, or a function is not in it.
    """
    command = linker()
    whole = link([bitcode.read_bytes() for bitcode in bitcodes], symbols)
    thing, imports = out.with_suffix(".o"), out.with_suffix(".imports")
    thing.write_bytes(_emit(whole, exports))
    imports.write_text("\n".join(IMPORTS), encoding="utf-8")
    options = ["--no-entry", "--stack-first", "-z", f"stack-size={STACK}", "--strip-all"]
    options.append(f"--allow-undefined-file={imports}")
    shown = [f"--export={name}" for name in (HEAP, *exports)]
    ran = subprocess.run(
        [*command, *options, *shown, "-o", str(out), str(thing)], capture_output=True, text=True, check=False
    )
    thing.unlink()
    imports.unlink()
    if ran.returncode != 0:
        raise RuntimeError(f"linking failed: {ran.stderr[-2000:]}")


def _lowered(text: str) -> str:
    """Return the code of a module without the kind of machine, and with vectors of flags in parts of LANES."""
    text = re.sub(r"^target (?:triple|datalayout) .*$", "", text, flags=re.MULTILINE)
    return _FLAGS.sub(_in_parts, text)


def _in_parts(line: re.Match[str]) -> str:
    """Return the lines that make a number of the flags of a vector, LANES at a time."""
    result, count, flags = line[1], int(line[2]), line[3]
    if count <= LANES:
        return line[0]
    lines, whole = [], "0"
    for first in range(0, count, LANES):
        name, lanes = f"{result}.from{first}", range(first, min(first + LANES, count))
        mask = ", ".join(f"i32 {lane}" for lane in lanes)
        lines += [
            f"{name} = shufflevector <{count} x i1> {flags}, <{count} x i1> poison, <{len(lanes)} x i32> <{mask}>",
            f"{name}.part = bitcast <{len(lanes)} x i1> {name} to i{len(lanes)}",
            f"{name}.wide = zext i{len(lanes)} {name}.part to i{count}",
            f"{name}.shifted = shl i{count} {name}.wide, {first}",
        ]
        last = first + LANES >= count
        lines.append(f"{result if last else f'{name}.joined'} = or i{count} {whole}, {name}.shifted")
        whole = f"{name}.joined"
    return "  " + "\n  ".join(lines)


def _emit(module: Any, exports: Collection[str]) -> bytes:
    """Return the object file of a module for WebAssembly, optimised, with nothing that the exports do not need."""
    machine = machine_of(TRIPLE, features=FEATURES, reloc="static")
    module = binding.parse_assembly(_lowered(str(module)))
    module.triple, module.data_layout = TRIPLE, str(machine.target_data)
    for thing in (*module.functions, *module.global_variables):
        if not thing.is_declaration and thing.name not in exports:
            thing.linkage = "internal"
    return emit(module, machine)
