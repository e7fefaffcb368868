"""The machines of a run: a Ray of its own, or a cluster."""

from __future__ import annotations

import logging
import os
import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from endeavor_env.errors import InvalidOptionError

_ANSWER = 10.0  # seconds in which a cluster must answer


@dataclass(frozen=True)
class Machines:
    """The machines on which a run computes. They may be others after each resumption."""

    address: str | None = None
    """A Ray cluster, "auto" or host:port; None starts Ray on this machine."""
    num_cpus: int | None = None
    """CPUs of the Ray that is started; None for all of the machine, and at least what the processes need."""
    env_runners: int = 2
    """Processes that play games; 0 plays them in the main process."""
    learners: int = 0
    """Processes that compute gradients, 0 or 1; 0 computes them in the main process."""

    @property
    def needed(self) -> int:
        """CPUs of the processes that Ray starts, one each."""
        return self.env_runners + self.learners

    def check(self, option: str = "--address") -> None:
        """Raise InvalidOptionError for numbers or an address that are not possible; ``option`` gives the address."""
        for name, number in (("--env-runners", self.env_runners), ("--learners", self.learners)):
            if number < 0:
                raise InvalidOptionError(f"{name} {number} is not possible: it must be at least 0")
        if self.learners > 1:
            raise InvalidOptionError(
                f"--learners {self.learners} is not possible: RLlib fails to divide games of several seats among "
                "learners, give 0 or 1"
            )
        if self.address not in (None, "auto") and not re.fullmatch(r"[^\s:/]+:[0-9]{1,5}", self.address):
            raise InvalidOptionError(f"{option} {self.address!r} is not possible: give auto, or host:port")
        if self.num_cpus is None:
            return
        if self.address is not None:
            raise InvalidOptionError("--num-cpus is for a Ray on this machine: leave it out with --address")
        self._check_cpus(self.num_cpus, "--num-cpus allows")

    def _check_cpus(self, cpus: float, who: str) -> None:
        """Raise InvalidOptionError if ``cpus`` are too few: Ray would wait for more of them and say nothing."""
        if cpus < max(self.needed, 1):
            raise InvalidOptionError(
                f"--env-runners {self.env_runners} and --learners {self.learners} take {max(self.needed, 1)} CPUs: "
                f"{who} {cpus:g}"
            )

    def _check_answers(self) -> None:
        """Raise OSError if nobody listens at the address: Ray itself would try for many minutes."""
        if self.address not in (None, "auto"):
            host, _, port = self.address.rpartition(":")
            socket.create_connection((host, int(port)), timeout=_ANSWER).close()

    @contextmanager
    def connected(self) -> Iterator[None]:
        """Join the cluster or start Ray on this machine; leave or stop it at the end.

        Raises:
            InvalidOptionError: There is no such cluster, or it has too few CPUs.
        """
        import ray  # pyright: ignore[reportMissingImports]  # only here: the help is shown where Ray is not installed

        # Ray's core prints a line for each runner, about arguments that RLlib keeps alive; errors reach Python anyway.
        os.environ.setdefault("RAY_BACKEND_LOG_LEVEL", "fatal")
        options: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR}
        if self.address is None:
            cpus = max(self.needed, os.cpu_count() or 1) if self.num_cpus is None else self.num_cpus
            options |= {"num_cpus": cpus, "include_dashboard": False}
        try:
            self._check_answers()
            ray.init(address=self.address or "local", **options)
        except (OSError, OverflowError, ValueError, RuntimeError) as error:
            reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
            if self.address is None:
                raise InvalidOptionError(f"Ray cannot be started on this machine: {reason}") from error
            raise InvalidOptionError(
                f"no Ray cluster can be joined at {self.address}: {reason}; does it run, with the versions and the "
                "RAY_AUTH_MODE of this process?"
            ) from error
        try:
            self._check_cpus(ray.cluster_resources().get("CPU", 0.0), "the Ray cluster has")
            yield
        finally:
            ray.shutdown()
