"""What the kernel refuses to a player that is a Python file, by whatever way it asks, without the hook of Python."""

from __future__ import annotations

import json
import os
import shlex
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from endeavor_env import Game
from endeavor_env.agents.forfeits import fault_of
from endeavor_env.agents.own_process import confinement
from endeavor_env.agents.registry import make_agent

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has these means")

BEGIN = f"""
import ctypes, importlib.util, os, resource, shutil, socket, sqlite3, stat, subprocess, sys, threading
spec = importlib.util.spec_from_file_location("confinement", {confinement.__file__!r})
confinement = importlib.util.module_from_spec(spec)
spec.loader.exec_module(confinement)
c = ctypes.CDLL(None, use_errno=True)
outside = sys.argv[1]
os.chdir(sys.argv[2])
"""
LANDLOCK = "print(confinement.confine(sys.argv[2]), flush=True)"
MOUNTS = f"confinement._lock_files = lambda kernel, folder: False\n{LANDLOCK}"
NOTHING = f"confinement._mount_read_only = confinement._lock_files = lambda kernel, folder: False\n{LANDLOCK}"
CHANGES = {
    "a folder": "os.rmdir('empty', dir_fd=os.open(outside, os.O_RDONLY))",
    "a tree": "shutil.rmtree(outside, ignore_errors=True)",
    "a file": "os.remove('file', dir_fd=os.open(outside, os.O_RDONLY))",
    "a new folder": "os.mkdir('new', dir_fd=os.open(outside, os.O_RDONLY))",
    "a new file": "os.open('new', os.O_WRONLY | os.O_CREAT, dir_fd=os.open(outside, os.O_RDONLY))",
    "another content": "os.write(os.open('file', os.O_WRONLY, dir_fd=os.open(outside, os.O_RDONLY)), b'other')",
    "another end": "c.truncate((outside + '/file').encode(), ctypes.c_long(1))",
    "no content": "os.open('file', os.O_RDONLY | os.O_TRUNC, dir_fd=os.open(outside, os.O_RDONLY))",
    "another name": "os.rename(outside + '/file', outside + '/new')",
    "another place": "os.rename(outside + '/file', 'file')",
    "a link to work on": "os.link(outside + '/file', 'file'); open('file', 'w').close()",
    "a name elsewhere": "os.symlink('/', outside + '/new')",
    "a pipe": "os.mkfifo(outside + '/new')",
    "a socket": "os.mknod(outside + '/new', stat.S_IFSOCK | 0o600)",
    "a device": "os.mknod(outside + '/new', stat.S_IFCHR | 0o600, os.makedev(1, 3))",
    "a device inside": "os.mknod('new', stat.S_IFCHR | 0o600, os.makedev(1, 3)); open(outside + '/new', 'w')",
    "a database": "sqlite3.connect(outside + '/new').execute('create table t (x)')",
    "rights": "os.chmod(outside + '/file', 0o777)",
    "rights by number": "os.fchmod(os.open(outside + '/file', os.O_RDONLY), 0o777)",
    "rights by the library of C": "c.chmod((outside + '/file').encode(), 0o777)",
    "times": "os.utime(outside + '/file', (1, 1))",
    "attributes": "os.setxattr(outside + '/file', 'user.x', b'1')",
    "an owner": "os.chown(outside + '/file', 1, 1)",
    "a new view of all": "c.unshare(0x10020000) == 0 and c.mount(b'none', outside.encode(), b'tmpfs', 0, None)",
    "by another process": "subprocess.run(['touch', outside + '/new'])",
}
OTHERS = {
    "os.fork()": "os.fork() and os._exit(9)",
    "fork of C": "c.fork() >= 0 and os._exit(9)",
    "clone of C": "c.syscall(56 if os.uname().machine == 'x86_64' else 220, 17, 0, 0, 0, 0) >= 0 and os._exit(9)",
    "clone3 of C": "c.syscall(435, (ctypes.c_uint64 * 8)(), ctypes.c_size_t(64)) >= 0 and os._exit(9)",
    "posix_spawn": "os.posix_spawn('/bin/true', ['true'], {})",
    "exec": "os.execv('/bin/true', ['true'])",
    "subprocess": "subprocess.run(['/bin/true'])",
    "a connection": "socket.socket()",
    "a connection by names": "socket.socket(socket.AF_UNIX)",
    "a signal": "os.kill(os.getppid(), 0)",
    "memory of another": "open(f'/proc/{os.getppid()}/mem', 'rb').read(1)",
    "the environment of another": "open(f'/proc/{os.getppid()}/environ', 'rb').read(1)",
    "limits of another": "resource.prlimit(os.getppid(), resource.RLIMIT_CORE, (0, 0))",
}


def run(code: str, outside: Path, inside: Path) -> subprocess.CompletedProcess[str]:
    """What becomes of this code."""
    words = [sys.executable, "-I", "-c", BEGIN + code, str(outside), str(inside)]
    return subprocess.run(words, capture_output=True, text=True, timeout=60)


def told(folder: Path) -> list[tuple[str, int, int, int, int, bytes]]:
    """All that is to be known about the files of a folder, if it is there."""
    found = []
    for path in sorted([folder, *folder.rglob("*")] if folder.exists() else []):
        what = path.lstat()
        content = path.read_bytes() if stat.S_ISREG(what.st_mode) else b""
        found.append((str(path), what.st_mode, what.st_uid, what.st_nlink, int(what.st_mtime), content))
    return found


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    """A folder with a file and a folder, and another that is the player's."""
    outside, inside = tmp_path / "outside", tmp_path / "inside"
    (outside / "empty").mkdir(parents=True)
    (outside / "file").write_text("precious")
    inside.mkdir()
    return outside, inside


@pytest.mark.parametrize("means", [LANDLOCK, MOUNTS], ids=["Landlock", "mounts"])
@pytest.mark.parametrize("harm", CHANGES)
def test_no_way_leads_to_a_file_outside(harm: str, means: str, folders: tuple[Path, Path]) -> None:
    outside, inside = folders
    before = told(outside)
    done = run(f"{means}\n{CHANGES[harm]}", outside, inside)
    if done.stdout != "\n":
        pytest.skip(f"this system has not what is needed: {done.stdout}{done.stderr}")
    assert told(outside) == before
    if means == LANDLOCK and harm not in ("attributes", "a new view of all") and os.getuid() == 0:
        run(CHANGES[harm], outside, inside)
        assert told(outside) != before, "this would be no harm to anybody"


@pytest.mark.parametrize("means", [LANDLOCK, MOUNTS], ids=["Landlock", "mounts"])
def test_the_own_folder_is_free(means: str, folders: tuple[Path, Path]) -> None:
    code = """
os.makedirs("a/b")
with open("a/b/file", "w") as file:
    file.write("text")
    file.truncate(2)
os.rename("a/b/file", "a/file")
os.link("a/file", "a/second")
os.symlink("file", "a/third")
os.remove("a/second")
shutil.copyfile("a/third", "kept")
shutil.rmtree("a")
sqlite3.connect("base").execute("create table t (x)")
open(os.devnull, "w").write("x")
thread = threading.Thread(target=print, args=("a thread",))
thread.start()
thread.join()
"""
    done = run(f"{means}\n{code}", *folders)
    if not done.stdout.startswith("\n"):
        pytest.skip(f"this system has not what is needed: {done.stdout}{done.stderr}")
    assert (done.stdout, done.stderr) == ("\na thread\n", "")
    assert sorted(os.listdir(folders[1])) == ["base", "kept"]
    assert (folders[1] / "kept").read_text() == "te"


@pytest.mark.parametrize("harm", OTHERS)
def test_no_way_leads_to_another_process_or_a_connection(harm: str, folders: tuple[Path, Path]) -> None:
    done = run(f"{LANDLOCK}\n{OTHERS[harm]}\nprint('done')", *folders)
    if not done.stdout.startswith("\n"):
        pytest.skip(f"this system has not what is needed: {done.stdout}{done.stderr}")
    assert done.returncode != 9
    assert done.stdout == "\n" or "of C" in harm


def test_what_a_system_does_not_refuse_is_said_at_the_start(tmp_path: Path) -> None:
    inside = tmp_path / "inside"
    inside.mkdir()
    assert run(NOTHING, tmp_path, inside).stdout == "changes of files\n"
    hello = {"type": "hello", "protocol": "endeavor-player/1", "allowed": "changes of files, connections"}
    file = tmp_path / "player.py"
    file.write_text(f"input(); print({json.dumps(hello)!r}, flush=True); input()")
    agent = make_agent(f"process:{shlex.join([sys.executable, str(file)])}")
    with pytest.warns(UserWarning, match="is not kept from changes of files, connections by this system"):
        agent.act(Game.new(3, seed=1))


def test_a_player_is_confined_before_its_file_is_read(tmp_path: Path) -> None:
    outside, inside = tmp_path / "outside", tmp_path / "inside"
    inside.mkdir()
    (inside / "player.py").write_text(
        f"import ctypes, os\nc = ctypes.CDLL(None)\nc.mkdir({os.fsencode(outside)!r}, 0o700)\nc.fork()\n"
        "def act(message):\n    return message['legal_moves'][0]\n"
    )
    agent = make_agent(f"code:{inside / 'player.py'},seconds=60")
    agent.act(Game.new(3, seed=1))
    assert fault_of(agent) is None
    if run(LANDLOCK, tmp_path, inside).stdout != "\n":
        pytest.skip("this system does not refuse it")
    assert not outside.exists()
