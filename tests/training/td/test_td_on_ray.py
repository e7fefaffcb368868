"""``endeavor train td`` on a Ray cluster: the same network as on threads, also if a machine is lost on the way."""
# pyright: reportMissingImports=false

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from rich.console import Console

from endeavor_env import Board
from endeavor_env.endeavor.ensure import ensure_learning_compiled
from endeavor_env.endeavor.players.network_file import VALUE_NETWORKS
from endeavor_env.training.td.__main__ import train
from endeavor_env.training.td.folder import TDRunFolder
from endeavor_env.training.td.games import SeatedPlayer
from endeavor_env.training.td.settings import preset
from endeavor_env.training.td.workers import Pending, ThreadWorkers, Workers
from tests.kits.commands import run_command

pytest.importorskip("ray", reason="Ray is not installed: it has an environment of its own, see docs/clients/rllib.md")
import ray
from ray.cluster_utils import Cluster
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from endeavor_env.training.td.ray_cluster import RayWorkers, connected
from tests.kits.ray_diary import PATIENCE, Noted, begin_diary

pytestmark = pytest.mark.filterwarnings("ignore")  # Ray's own
SETTINGS = preset("smoke", "standard").replace(iterations=3, games=60, warm_up_games=60, evaluate_every=9)
QUIET = Console(quiet=True)


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    """Two machines with a CPU each, as far as Ray knows."""
    ray.shutdown()
    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    yield made
    made.shutdown()


def kernels_are_there() -> None:
    """Load the kernels of recorded games."""
    ensure_learning_compiled()


class LosesAMachine(RayWorkers):
    """A cluster that loses a machine which plays games of the second iteration, and gets a new one for the third."""

    def __init__(self, board: Board, cluster: Cluster) -> None:
        super().__init__(board)
        self.cluster, self.second, self.batches = cluster, cluster.add_node(num_cpus=1), 0
        head = ray.get_runtime_context().get_node_id()
        self.diary = begin_diary(head)
        self._play = Noted(self.diary)

    def submit(self, fixtures: npt.NDArray[np.void], seated: Mapping[int, SeatedPlayer]) -> list[Pending]:
        """Begin to play; lose the machine once it has begun with its share."""
        if self.batches == 2:
            self.second = self.cluster.add_node(num_cpus=1)
            self.wake(self.second.node_id)
        if self.batches in (1, 2):
            ray.get(self.diary.expect.remote(self.second.node_id))
        before = self.machines_noted()
        pending = super().submit(fixtures, seated)
        self.batches += 1
        if self.batches == 2:
            self.wait_for_the_second(len(before))
            self.cluster.remove_node(self.second, allow_graceful=False)
        return pending

    def wake(self, node_id: str) -> None:
        """Start a process on a machine, which takes longer than all games of an iteration."""
        there = NodeAffinitySchedulingStrategy(node_id, soft=False)
        ray.get(ray.remote(kernels_are_there).options(scheduling_strategy=there).remote())

    def machines_noted(self) -> list[str]:
        return ray.get(self.diary.read.remote())

    def wait_for_the_second(self, since: int) -> None:
        deadline = time.monotonic() + PATIENCE
        while self.second.node_id not in self.machines_noted()[since:]:
            assert time.monotonic() < deadline, "the second machine never played"
            time.sleep(0.01)


def machines_after_a_loss() -> tuple[int, int]:
    """Return how many machines live and how many are lost, once Ray has missed one; that takes it some seconds."""
    deadline = time.monotonic() + PATIENCE
    while all(node["Alive"] for node in ray.nodes()) and time.monotonic() < deadline:
        time.sleep(0.1)
    living = [node["Alive"] for node in ray.nodes()]
    return sum(living), living.count(False)


def trained(folder: Path, workers: Workers) -> list[npt.NDArray[np.float32]]:
    """Train a run in ``folder`` and return the parameters of its network."""
    run = TDRunFolder.create(folder, SETTINGS, "python -m endeavor_env.training.td")
    assert train(run, QUIET, progress=False, workers=workers)
    return list(VALUE_NETWORKS.read(folder / "value.npz").arrays)


@pytest.mark.slow
def test_a_lost_machine_changes_nothing_in_what_is_learned(cluster: Cluster, tmp_path: Path) -> None:
    expected = trained(tmp_path / "threads", ThreadWorkers(Board.default(), 1))
    with connected(cluster.address):
        workers = LosesAMachine(Board.default(), cluster)
        found = trained(tmp_path / "ray", workers)
        assert workers.batches > 3
        assert len(set(workers.machines_noted())) == 3
        assert machines_after_a_loss() == (2, 1)
    for one, other in zip(expected, found, strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.slow
def test_the_command_plays_on_a_cluster_and_says_so_if_there_is_none(cluster: Cluster, tmp_path: Path) -> None:
    done = run_command("endeavor_env.training.td", "--preset", "smoke", "--no-progress", "--ray", cluster.address,
                       "--out", str(tmp_path / "run"))  # fmt: skip
    assert done.status == 0, done.err
    assert VALUE_NETWORKS.read(tmp_path / "run" / "value.npz").variants == ("standard",)
    refused = run_command("endeavor_env.training.td", "--preset", "smoke", "--no-progress", "--ray", "127.0.0.1:1",
                          "--out", str(tmp_path / "other"))  # fmt: skip
    assert refused.status != 0
    assert "no Ray cluster can be joined at" in refused.err
