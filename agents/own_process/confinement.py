"""Takes rights from this process for good, by means of the kernel of Linux: nothing that runs in it gets them back.

It needs only Python itself, and must be called before there are other threads, which would keep their rights.
"""

from __future__ import annotations

import ctypes
import os
import platform
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

# --- Landlock --------------------------------------------------------------------------------------------------------
WRITE_FILE, TRUNCATE, IOCTL_DEVICE = 1 << 1, 1 << 14, 1 << 15
REMOVE_DIR, REMOVE_FILE, MAKE_CHAR, MAKE_DIR, MAKE_REG, MAKE_SOCK, MAKE_FIFO, MAKE_BLOCK, MAKE_SYM, REFER = (
    1 << bit for bit in range(4, 14)
)
IN_FOLDER = WRITE_FILE | TRUNCATE | REMOVE_DIR | REMOVE_FILE | MAKE_DIR | MAKE_REG | MAKE_FIFO | MAKE_SYM | REFER
"""Landlock rights within the agent's own folder: everything but devices and sockets."""
CHANGES = IN_FOLDER | MAKE_CHAR | MAKE_SOCK | MAKE_BLOCK
KNOWS_TRUNCATE, KNOWS_IOCTL = 3, 5
"""Versions of Landlock that brought these rights."""
CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
"""Numbers of system calls, the same on all processors."""
ASK_VERSION, BENEATH_PATH = 1, 1
# --- mounts ----------------------------------------------------------------------------------------------------------
SET_ATTRIBUTES = 442
NEW_USER, NEW_MOUNTS, BIND, PRIVATE = 0x10000000, 0x20000, 0x1000, 1 << 18
READ_ONLY, NO_DEVICES = 1, 4
HERE, RECURSIVE = -100, 0x8000
# --- system calls ----------------------------------------------------------------------------------------------------
ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
"""Processors whose system call numbers are known, with the kernel's constants for them."""
CALLS = {
    **{"fork": (57,), "vfork": (58,), "execve": (59, 221), "execveat": (322, 281), "ptrace": (101, 117)},
    **{"tkill": (200, 130), "rt_sigqueueinfo": (129, 138), "rt_tgsigqueueinfo": (297, 240)},
    **{"pidfd_open": (434, 434), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271)},
    **{"unshare": (272, 97), "setns": (308, 268), "socket": (41, 198), "io_uring_setup": (425, 425)},
    # Landlock knows nothing of rights, owners, times and attributes of files
    **{"chmod": (90,), "fchmod": (91, 52), "fchmodat": (268, 53), "fchmodat2": (452, 452), "chown": (92,)},
    **{"fchown": (93, 55), "lchown": (94,), "fchownat": (260, 54), "utime": (132,), "utimes": (235,)},
    **{"futimesat": (261,), "utimensat": (280, 88), "setxattr": (188, 5), "lsetxattr": (189, 6)},
    **{"fsetxattr": (190, 7), "removexattr": (197, 14), "lremovexattr": (198, 15), "fremovexattr": (199, 16)},
    **{"setxattrat": (463, 463), "removexattrat": (466, 466), "file_setattr": (469, 469)},
}
"""Refused calls: their numbers in the order of ``ARCHITECTURES``; some exist only on the first."""
CLONE, KILL, TGKILL, PRLIMIT, CAPSET, CLONE3 = (56, 220), (62, 129), (234, 131), (302, 261), (126, 91), 435
NO_NEW_RIGHTS, SET_FILTER, WITH_PROGRAM = 38, 22, 2
ALLOW, REFUSE, IS_MISSING = 0x7FFF0000, 0x00050001, 0x00050026
"""Return values of a filter: make the call, fail with EPERM, or fail with ENOSYS as on a kernel without it."""
LOAD, EQUALS, HAS_BIT, AT_LEAST, RETURN = 0x20, 0x15, 0x45, 0x35, 0x06
NUMBER, ARCHITECTURE, FIRST_ARGUMENT = 0, 4, 16
"""Offsets of the fields of ``struct seccomp_data``, in bytes."""
THREAD, OTHER_NUMBERS = 0x10000, 0x40000000
CAPABILITIES_3 = 0x20080522
FILES, CALLED = "changes of files", "connections, other processes"
"""Names of the restrictions that a system may lack."""
Step = tuple[int, int, int, int]
"""An instruction of a filter: code, jumps if true and if false, operand."""


def confine(folder: str) -> str:
    """Refuse changes of files outside of a folder, connections and other processes; reading stays as it is.

    Returns:
        What the system does not refuse, in words; "" where all is refused.
    """
    machine = platform.machine()
    if sys.platform != "linux" or machine not in ARCHITECTURES or sys.maxsize < 1 << 32:
        return f"{FILES}, {CALLED}"
    kernel = ctypes.CDLL(None, use_errno=True)
    order = list(ARCHITECTURES).index(machine)
    kernel.prctl(NO_NEW_RIGHTS, 1, 0, 0, 0)
    files = _lock_files(kernel, folder) or _mount_read_only(kernel, folder)
    _drop_capabilities(kernel, CAPSET[order])
    calls = _filter_calls(kernel, _filter(ARCHITECTURES[machine], order, os.getpid()))
    return ", ".join((*([] if files and calls else [FILES]), *([] if calls else [CALLED])))


def _lock_files(kernel: ctypes.CDLL, folder: str) -> bool:
    """Let Landlock refuse; return whether it is there."""
    version = kernel.syscall(CREATE_RULESET, None, ctypes.c_size_t(0), ASK_VERSION)
    if version < KNOWS_TRUNCATE:
        return False
    handled = ctypes.c_uint64(CHANGES | (IOCTL_DEVICE if version >= KNOWS_IOCTL else 0))
    rules = kernel.syscall(CREATE_RULESET, ctypes.byref(handled), ctypes.c_size_t(8), 0)
    if rules < 0:
        return False
    try:
        for path, allowed in ((folder, IN_FOLDER), (os.devnull, WRITE_FILE | TRUNCATE)):
            with _opened(path) as number:
                rule = allowed.to_bytes(8, sys.byteorder) + number.to_bytes(4, sys.byteorder)
                if kernel.syscall(ADD_RULE, rules, BENEATH_PATH, rule, 0) != 0:
                    return False
        return kernel.syscall(RESTRICT_SELF, rules, 0) == 0
    finally:
        os.close(rules)


@contextmanager
def _opened(path: str) -> Iterator[int]:
    """Give the number of a path that is open for nothing but to be named."""
    number = os.open(path, os.O_PATH | os.O_CLOEXEC)  # pyright: ignore[reportAttributeAccessIssue]
    try:
        yield number
    finally:
        os.close(number)


def _mount_read_only(kernel: ctypes.CDLL, folder: str) -> bool:
    """See all files through mounts of its own that only read; return whether the system lets this process do so."""
    if kernel.unshare(NEW_USER | NEW_MOUNTS) != 0:
        return False
    changes = ((os.fsencode(folder), READ_ONLY), (os.fsencode(os.devnull), READ_ONLY | NO_DEVICES))
    done = [kernel.mount(path, path, None, ctypes.c_ulong(BIND), None) for path, _ in changes]
    done.append(_set_attributes(kernel, b"/", RECURSIVE, READ_ONLY | NO_DEVICES, 0))
    done += [_set_attributes(kernel, path, 0, 0, cleared) for path, cleared in changes]
    os.chdir(folder)  # through the mount that writes
    return not any(done)


def _set_attributes(kernel: ctypes.CDLL, path: bytes, how: int, added: int, cleared: int) -> int:
    attributes = (ctypes.c_uint64 * 4)(added, cleared, PRIVATE, 0)
    return kernel.syscall(SET_ATTRIBUTES, HERE, path, how, ctypes.byref(attributes), ctypes.c_size_t(32))


def _drop_capabilities(kernel: ctypes.CDLL, call: int) -> None:
    """Give up what root may beyond other users, in the namespace of this process too."""
    kernel.syscall(call, (ctypes.c_uint32 * 2)(CAPABILITIES_3, 0), (ctypes.c_uint32 * 6)())


def _filter(architecture: int, order: int, process: int) -> list[Step]:
    """Return the program that decides about each system call of a process."""
    refuse, allow, number = (RETURN, 0, 0, REFUSE), (RETURN, 0, 0, ALLOW), (LOAD, 0, 0, NUMBER)

    def only_if(call: int, test: int, value: int) -> Sequence[Step]:
        """Refuse a call whose first argument is not as it should be."""
        argument = (LOAD, 0, 0, FIRST_ARGUMENT)
        return (EQUALS, 0, 4, call), argument, (test, 0, 1, value), allow, refuse

    steps = [(LOAD, 0, 0, ARCHITECTURE), (EQUALS, 1, 0, architecture), refuse, number]
    steps += [(AT_LEAST, 0, 1, OTHER_NUMBERS), refuse]
    for numbers in CALLS.values():
        steps += [step for call in numbers[order : order + 1] for step in ((EQUALS, 0, 1, call), refuse)]
    steps += [(EQUALS, 0, 1, CLONE3), (RETURN, 0, 0, IS_MISSING)]  # its flags are out of sight: there is clone
    steps += [*only_if(CLONE[order], HAS_BIT, THREAD), *only_if(PRLIMIT[order], EQUALS, 0)]
    steps += [step for call in (KILL, TGKILL) for step in only_if(call[order], EQUALS, process)]
    return [*steps, allow]


def _filter_calls(kernel: ctypes.CDLL, steps: Sequence[Step]) -> bool:
    """Let a program decide about the system calls of this process; return whether the kernel does so."""

    class FilterProgram(ctypes.Structure):
        _fields_ = (("length", ctypes.c_ushort), ("steps", ctypes.c_void_p))

    code = b"".join(
        one.to_bytes(2, sys.byteorder) + bytes((so, not_so)) + operand.to_bytes(4, sys.byteorder)
        for one, so, not_so, operand in steps
    )
    program = FilterProgram(len(steps), ctypes.cast(ctypes.c_char_p(code), ctypes.c_void_p))
    return kernel.prctl(SET_FILTER, WITH_PROGRAM, ctypes.byref(program), 0, 0) == 0
