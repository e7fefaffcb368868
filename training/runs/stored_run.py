"""The folder of a run: ``run.json``, and checkpoints that only their own run uses or deletes."""

from __future__ import annotations

import errno
import os
import platform
import secrets
import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, ClassVar, Generic, Protocol, Self, TypeVar

from endeavor_env.agents.checkpoint import card_path, load_network, read_card, write_card
from endeavor_env.agents.network_spec import NetworkSpec
from endeavor_env.basics.files import read_json_object, read_regular, regular_digest, write_json
from endeavor_env.errors import CheckpointError, InvalidOptionError

# --- What a run was made with: the commit of the sources, and the versions of packages -------------------------------


def git_commit() -> str | None:
    """Return the commit of the sources; None outside a checkout."""
    folder = Path(__file__).parents[1]  # training/
    command = ["git", "rev-parse", "--show-prefix", "HEAD"]
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    within, commit = done.stdout.splitlines()
    return commit if within == f"{folder.name}/" else None  # an installed package may lie in somebody's repository


def versions(packages: tuple[str, ...]) -> dict[str, str]:
    """Return the versions of Python and of some packages, without those that are not installed."""
    found = {"python": platform.python_version()}
    for name in packages:
        with suppress(PackageNotFoundError):  # Numba, where machine code was made elsewhere
            found[name] = version(name)
    return found


# --- The file that a command is asked to write a network to ----------------------------------------------------------


def check_suffix(out: Path) -> None:
    """Raise InvalidOptionError unless the name of a file ends in ``.npz``."""
    if out.suffix != ".npz":
        raise InvalidOptionError(f"--out {out} is not possible: the name of the file must end in .npz")


def check_free(out: Path, force: bool) -> None:
    """Raise InvalidOptionError if a network or its card is there already and may not be replaced."""
    for file in (out, out.with_suffix(".json")):
        if not force and file.exists():
            raise InvalidOptionError(f"{file} exists: give --force to replace it, or another --out")


# --- The file beside a checkpoint with what its network alone does not say -------------------------------------------
# The state from which training goes on.

MOST_BYTES = 1 << 30
"""Size of the largest file that is read."""


def state_path(checkpoint: Path) -> Path:
    """Return the file with the state that belongs to the network of a periodic checkpoint."""
    return checkpoint.with_suffix(".pt")


def write_state(checkpoint: Path, state: Mapping[str, Any]) -> None:
    """Write the state that belongs to a checkpoint in one step; it holds tensors and plain values."""
    import torch  # a folder is made and looked at where it is not installed

    path = state_path(checkpoint)
    partial = path.with_name(f"partial-{path.name}")
    torch.save(dict(state), partial)
    os.replace(partial, path)


def read_state(checkpoint: Path, entries: Sequence[str]) -> dict[str, Any]:
    """Return the state that belongs to a checkpoint; raise CheckpointError if it cannot be read or lacks an entry."""
    from endeavor_env.agents.weights import saved_in  # needs PyTorch

    path = state_path(checkpoint)
    try:
        content = read_regular(path, MOST_BYTES)
    except ValueError as error:
        raise CheckpointError(f"the state {path} {error}") from error
    try:
        state = saved_in(content)
    except ValueError as error:
        raise CheckpointError(f"the state {path} cannot be read: {error}") from error
    missing = [entry for entry in entries if entry not in state]
    if missing:
        raise CheckpointError(f"the state {path} cannot be used: it lacks {', '.join(missing)}")
    return state


# --- The folder of a run ----------------------------------------------------------------------------------------------

SETTINGS = "run.json"
FINAL = "policy.zip"
STEP = "step_"
KEEP = 3  # newest periodic checkpoints left in the folder


class RunSettings(Protocol):
    """The common settings of all trainers."""

    @property
    def preset(self) -> str:
        """Name of the preset that the settings were made from."""
        ...

    @property
    def seed(self) -> int:
        """Seed of the run."""
        ...

    @property
    def variant(self) -> str:
        """The variant to train on."""
        ...

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        ...


S = TypeVar("S", bound=RunSettings)


class StoredRun(Generic[S]):
    """A run on disk. Files are written under another name and then renamed, so that a kill leaves no half file.

    Attributes:
        path: The folder.
        settings: The settings of the run.
        command: The command that started it.
        id: Random letters that the run writes into its cards; None in runs of earlier versions.
    """

    settings_type: ClassVar[type[Any]]
    """The class of the settings; its ``from_dict`` raises InvalidOptionError for impossible ones."""
    may_change: ClassVar[tuple[str, ...]]
    """Settings that may be edited in ``run.json`` while a run is stopped; the others describe what its weights are."""
    packages: ClassVar[tuple[str, ...]]
    """The packages whose versions determine a run."""
    suffix: ClassVar[str] = ".zip"
    """The suffix of the file with a checkpoint's weights, beside which its card stands."""
    final: ClassVar[str] = FINAL
    """The name of the last checkpoint."""
    state_entries: ClassVar[tuple[str, ...]] = ()
    """Entries of the state beside a periodic checkpoint, see ``files``; empty for a trainer that writes none."""
    memories: ClassVar[tuple[str, ...]] = ()
    """The names of the files with what the newest checkpoint learns from, see ``memory``."""
    trainer: ClassVar[str | None] = None
    """The entry of ``run.json`` and of cards that tells the runs of one trainer from those of another."""

    def __init__(self, path: Path, settings: S, command: str, id: str | None = None) -> None:
        """Stand for an existing folder; use ``create`` or ``reopen`` instead."""
        self.path = path
        self.settings = settings
        self.command = command
        self.id = id

    @classmethod
    def create(cls, path: Path, settings: S, command: str) -> Self:
        """Start a run in a new folder, or in one without a run and without checkpoints.

        Raises:
            InvalidOptionError: The folder holds a run or checkpoints, or cannot be made or written.
        """
        run = cls(path, settings, command, secrets.token_hex(8))
        missing: list[Path] = []
        try:
            cls.check_free(path)
            missing = [folder for folder in (path, *path.parents) if not folder.exists()]
            path.mkdir(parents=True, exist_ok=True)
            write_json(path / SETTINGS, run._stored())
        except OSError as error:
            for folder in missing:
                with suppress(OSError):
                    folder.rmdir()
            raise InvalidOptionError(
                f"{path} cannot be the folder of a run: {error.strerror or error}; give another --out"
            ) from error
        return run

    @classmethod
    def check_free(cls, path: Path) -> None:
        """Raise InvalidOptionError if a run cannot begin in a folder, as far as that shows without writing.

        It holds a run or checkpoints of one, or it is not there and cannot be made.
        """
        nearest = next(folder for folder in (path, *path.parents) if folder.exists())
        if not nearest.is_dir() or not os.access(nearest, os.W_OK | os.X_OK):
            number = errno.EACCES if nearest.is_dir() else errno.EEXIST if nearest == path else errno.ENOTDIR
            raise InvalidOptionError(f"{path} cannot be the folder of a run: {os.strerror(number)}; give another --out")
        if (path / SETTINGS).exists():
            raise InvalidOptionError(f"{path} holds a run already: {cls._way_on(path)}give another --out")
        found = path.iterdir() if nearest == path else ()
        left = sorted(file.name for file in found if file.name.startswith(STEP) or file.stem in ("policy", "value"))
        if left:
            raise InvalidOptionError(f"{path} holds {left[0]} of another run, but no {SETTINGS}: give another --out")

    @classmethod
    def _way_on(cls, path: Path) -> str:
        """Return what can be done with the run in a folder, for a message; nothing of a run of another trainer."""
        try:
            own = read_json_object(path / SETTINGS, "settings", CheckpointError).get("trainer") == cls.trainer
        except CheckpointError:
            own = False
        return f"continue it with --resume {path}, or " if own else ""

    @classmethod
    def _trainer_entry(cls) -> dict[str, str]:
        """Return the entry that names the trainer, if there is one."""
        return {} if cls.trainer is None else {"trainer": cls.trainer}

    def _stored(self) -> dict[str, Any]:
        """Return what ``run.json`` holds."""
        return {
            **self._trainer_entry(),
            "id": self.id,
            "settings": self.settings.to_dict(),
            "command": self.command,
        }

    @classmethod
    def reopen(cls, path: Path) -> Self:
        """Open the folder of an earlier run; raise InvalidOptionError or CheckpointError if it has no readable run."""
        file = path / SETTINGS
        if not file.exists():
            raise InvalidOptionError(f"{path} holds no run to resume: it has no {SETTINGS}")
        stored = read_json_object(file, "settings", CheckpointError)
        if stored.pop("trainer", None) != cls.trainer:
            raise InvalidOptionError(f"{path} holds a run of another trainer: no other one can go on with it")
        odd = [*(set(stored) - {"id", "settings", "command"}), *({"settings", "command"} - set(stored))]
        if odd:
            raise CheckpointError(f"settings {file} are edited: {sorted(odd)[0][:40]!r} is unknown or missing")
        id, settings, command = stored.get("id"), stored["settings"], stored["command"]
        if not isinstance(settings, dict) or not isinstance(command, str) or not isinstance(id, str | None):
            raise CheckpointError(f"settings {file} are edited: settings must be an object, command and id strings")
        try:
            return cls(path, cls.settings_type.from_dict(settings), command, id)
        except InvalidOptionError as error:
            raise CheckpointError(f"settings {file} cannot be used: {error}") from error

    @property
    def tensorboard(self) -> Path:
        """The folder of the curves."""
        return self.path / "tensorboard"

    def checkpoints(self) -> list[Path]:
        """Return the periodic checkpoints, oldest first, those without a card included."""
        return sorted(self.path.glob(f"{STEP}*{self.suffix}"), key=lambda path: (len(path.name), path.name))

    def newest_sound(self) -> tuple[Path | None, list[str]]:
        """Return the newest checkpoint that the run can go on from, and what is wrong with each newer one.

        Returns:
            The path, None if the folder has no checkpoints at all; a sentence for each checkpoint passed over.

        Raises:
            CheckpointError: There are checkpoints, but none can be used, or the settings were changed since.
        """
        faults: list[str] = []
        for path in reversed(self.checkpoints()):
            self._finish_replacing(path)
            try:
                card = self._read_own(path)
                self._check_weights(path)
            except CheckpointError as error:
                faults.append(str(error))
                continue
            self._check_unchanged(path, card)
            return path, faults
        if faults:
            raise CheckpointError(
                f"no checkpoint in {self.path} can be used: {'; '.join(faults)}. Give another --out for a new run, or "
                "--start-over to begin this one again and keep these files"
            )
        return None, faults

    def _finish_replacing(self, path: Path) -> None:
        """Put a checkpoint's weights in place if the run was killed when only their card was there already."""
        partial = path.with_name(f"partial-{path.name}")
        try:
            named = read_json_object(self._card(path), "card", CheckpointError)["weights"]["sha256"]
            if regular_digest(path) != named == regular_digest(partial):
                os.replace(partial, path)
        except (ValueError, KeyError, TypeError):  # no such half, or a card that others refuse
            return

    def _read_own(self, path: Path) -> dict[str, Any]:
        """Return the card of a checkpoint; raise CheckpointError if it is unsound or not of this run."""
        card = self._read_card(path)
        training = card["training"]
        if training.get("run") != self.id:
            raise CheckpointError(f"checkpoint {path} belongs to another run")
        if type(training.get("steps")) is not int or path.name not in (
            self.final,
            step_name(training["steps"], self.suffix),
        ):
            raise CheckpointError(f"checkpoint {path} has another number of decisions in its card than in its name")
        return card

    def _card(self, checkpoint: Path) -> Path:
        """Return the path of a checkpoint's card."""
        return card_path(checkpoint)

    def _read_card(self, path: Path) -> dict[str, Any]:
        """Return the verified card of a checkpoint; raise CheckpointError if there is none."""
        return read_card(path)

    def _check_weights(self, path: Path) -> None:
        """Raise CheckpointError unless the weights of a checkpoint can be used, and its state if it has one."""
        load_network(path)
        self._check_state(path)

    def _check_state(self, path: Path) -> None:
        """Raise CheckpointError if a checkpoint has a state that cannot be used."""
        if self._has_state(path):
            self.read_state(path)

    def _has_state(self, path: Path) -> bool:
        """Return whether a state stands beside a checkpoint: not beside the last one."""
        return bool(self.state_entries) and path.name != self.final

    def read_state(self, checkpoint: Path) -> dict[str, Any]:
        """Return the state of a periodic checkpoint; raise CheckpointError if it cannot be read."""
        return read_state(checkpoint, self.state_entries)

    def finished_card(self) -> dict[str, Any] | None:
        """Return the card of the last checkpoint, None if there is none that can be used.

        Raises:
            CheckpointError: The settings were changed since.
        """
        path = self.path / self.final
        if not self._is_sound(path):
            return None
        card = self._read_card(path)
        self._check_unchanged(path, card)
        return card

    def _check_unchanged(self, path: Path, card: dict[str, Any]) -> None:
        """Raise CheckpointError unless ``run.json`` says what it said when a checkpoint was saved."""
        made, command = card["training"].get("settings"), card["training"].get("command")
        try:
            before = self.settings_type.from_dict(made if isinstance(made, dict) else {}).to_dict()
        except InvalidOptionError as error:
            raise CheckpointError(f"the card of checkpoint {path} cannot be used: {error}") from error
        now = self.settings.to_dict()
        changed = [name for name in now if now[name] != before[name] and name not in self.may_change]
        changed += ["command"] if command != self.command else []
        if changed:
            raise CheckpointError(
                f"{self.path / SETTINGS} was changed after {path.name} was saved: {', '.join(changed)} must stay; put "
                f"back what {self._card(path).name} says, or begin a new run with another --out"
            )

    def begin_or_go_on(self, start_over: bool, say: Callable[[str], object]) -> Path | None:
        """Return the checkpoint that the run goes on from, None for one that begins, perhaps again.

        Args:
            start_over: Begin at 0 whatever checkpoints there are; these are kept unused.
            say: Is told of each checkpoint that is passed over, in a sentence.

        Raises:
            CheckpointError: As ``newest_sound``.
        """
        if start_over:
            self.start_over()
            return None
        checkpoint, faults = self.newest_sound()
        for fault in faults:
            say(f"Passing over: {fault}")
        return checkpoint

    def start_over(self) -> None:
        """Begin the run again: give it another id, so that its earlier checkpoints are neither used nor deleted."""
        self.id = secrets.token_hex(8)
        write_json(self.path / SETTINGS, self._stored())

    def _parts(self, checkpoint: Path) -> list[Path]:
        """Return what belongs to a checkpoint, whether it is there or not: the zip first."""
        state = [state_path(checkpoint)] if self._has_state(checkpoint) else []
        return [checkpoint, self._card(checkpoint), *state]

    def memory(self, name: str, steps: int) -> Path:
        """Return the file of ``memories`` with what the checkpoint of ``steps`` learns from.

        It is written before the checkpoint, and that of the checkpoint before is deleted after it: whenever a run is
        killed, its newest checkpoint has its own.
        """
        return self.path / f"{name}_{steps:012d}.npy"

    def delete_memories(self, but: int | None = None) -> None:
        """Delete the files of ``memories``, except those of the checkpoint of ``but`` steps."""
        for name in self.memories:
            for file in self.path.glob(f"{name}_*.npy"):
                if but is None or file != self.memory(name, but):
                    file.unlink()

    def _delete_older(self, newest: Path) -> None:
        """Delete the checkpoints of this run up to ``newest``, except the last few of them and damaged ones.

        What they learned from goes with them, and of those that stay, too.
        """
        self.delete_memories(steps_of(newest))
        written = [old for old in self.checkpoints() if old.name <= newest.name and self._is_sound(old)]
        for old in written[:-KEEP]:
            for part in self._parts(old):
                shutil.rmtree(part) if part.is_dir() else part.unlink()

    def _is_sound(self, path: Path) -> bool:
        """Return whether a checkpoint is of this run, going by its card, and can be used."""
        try:
            self._read_own(path)
            self._check_weights(path)
        except CheckpointError:
            return False
        return True

    def _write(
        self,
        name: str,
        spec: NetworkSpec,
        steps: int,
        results: list[dict[str, Any]],
        store: Callable[[Path], object],
        more: Mapping[str, Any] | None = None,
    ) -> Path:
        """Write a checkpoint and its card; return the path of the zip.

        The card comes first: a card without a zip holds nothing, so a kill in between loses nothing. A checkpoint of
        the same name that is not sound, or not of this run, gets another name.

        Args:
            name: The name of the zip.
            spec: The network whose weights it holds.
            steps: Decisions trained on.
            results: Its results in evaluation games, as JSON values.
            store: Writes the zip to a path.
            more: What else the card says about the training.
        """
        target = self._free_target(name)
        partial = target.with_name(f"partial-{name}")
        store(partial)
        write_card(target, spec, self._training(steps, more or {}), results, self.settings.variant, partial)
        os.replace(partial, target)
        return target

    def _free_target(self, name: str) -> Path:
        """Return the path of a checkpoint to be written; one that is unsound or not of this run gets another name."""
        target = self.path / name
        if target.exists() and not self._is_sound(target):
            set_aside(self._parts(target))
        return target

    def _training(self, steps: int, more: Mapping[str, Any]) -> dict[str, Any]:
        """Return what the card of a checkpoint says about its training."""
        return {
            **self._trainer_entry(),
            "run": self.id,
            "preset": self.settings.preset,
            "seed": self.settings.seed,
            "steps": steps,
            "command": self.command,
            "settings": self.settings.to_dict(),
            "git_commit": git_commit(),
            "versions": versions(self.packages),
            **more,
        }


def free_folder(name: str) -> Path:
    """Return ``runs/<name>``, or the first of ``runs/<name>-2``, ... that does not exist."""
    path, number = Path("runs") / name, 1
    while path.exists():
        number += 1
        path = Path("runs") / f"{name}-{number}"
    return path


def step_name(steps: int, suffix: str = ".zip") -> str:
    """Return the name of the periodic checkpoint after so many decisions."""
    return f"{STEP}{steps:012d}{suffix}"


def steps_of(checkpoint: Path) -> int:
    """Return the decisions that a periodic checkpoint was trained on."""
    return int(checkpoint.stem.removeprefix(STEP))


def set_aside(parts: list[Path]) -> None:
    """Give the parts of a checkpoint that there are the first free name of "kept-1-...", "kept-2-..."."""
    number = 1
    while any(part.with_name(f"kept-{number}-{part.name}").exists() for part in parts):
        number += 1
    for part in parts:
        if part.exists():
            part.rename(part.with_name(f"kept-{number}-{part.name}"))
