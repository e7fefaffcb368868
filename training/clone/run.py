"""A clone in the making: portions of games, gradient steps on the teacher's choices, and a last pass over all."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt
import torch
from rich.console import Console
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from torch import nn

from endeavor_env.agents.players.policy import logits_of_sb3
from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.observation import layout_for
from endeavor_env.endeavor.players.policy.player import policy_memory
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.actions import num_actions
from endeavor_env.errors import CheckpointError
from endeavor_env.training.clone.demonstrations import (
    CHUNK,
    CloneSeats,
    DemonstrationBatch,
    Demonstrations,
    ObservedBatch,
    teach,
)
from endeavor_env.training.clone.settings import CloneSettings
from endeavor_env.training.runs.first_policy import take_weights
from endeavor_env.training.runs.layers import check_finite, device_of
from endeavor_env.training.runs.running import progress_bar
from endeavor_env.training.runs.settings import falling
from endeavor_env.training.td.evaluation import evaluate
from endeavor_env.training.td.games import LEARNER_CODE, PlayerMix, SeatedPlayer, fixtures_of
from endeavor_env.training.td.settings import GREEDY
from endeavor_env.training.td.workers import ThreadWorkers

# --- The gradient steps -----------------------------------------------------------------------------------------------


class Fit(NamedTuple):
    """Mean fit of the network, before each step."""

    surprise: float
    """Cross entropy of the teacher's choices, or of the softmax of what it thinks of its moves, in nats."""
    agreement: float
    """Share of the choices whose most likely action is the teacher's."""
    value_error: float
    """Mean squared error of the value."""


class CloneLearner:
    """A policy network and its optimizer."""

    def __init__(
        self,
        policy: MaskableActorCriticPolicy,
        value_weight: float,
        device: str = "cpu",
        temperature: float = 0.0,
    ) -> None:
        """Take the network of a MaskablePPO model, which is changed in place.

        Args:
            policy: Policy and value network; ``finish`` moves it back from the device.
            value_weight: Weight of the squared error of the value in the loss.
            device: Of PyTorch.
            temperature: Above 0, what is learned is the softmax of the merits over it; 0 for the choices alone.
        """
        self._policy, self._value_weight, self._device = policy.to(device), value_weight, device
        self._temperature = temperature
        self._optimizer = torch.optim.Adam(policy.parameters())

    def learn(self, demonstrations: Demonstrations, steps: int, rate: float, rng: np.random.Generator) -> Fit:
        """Take gradient steps on choices drawn with ``rng``; raise DivergedError if the network is not finite then."""
        for group in self._optimizer.param_groups:
            group["lr"] = rate
        fits = [self._step(demonstrations.observe(rng)) for _ in range(steps)]
        fit = Fit(*torch.stack(fits).mean(dim=0).tolist())  # read at the end, so that no step waits for the device
        check_finite(fit._asdict(), self._policy.parameters(), rate)
        return fit

    def state(self) -> dict[str, Any]:
        """Return weights and optimizer, from which ``restore`` goes on."""
        return {"model": self._policy.state_dict(), "optimizer": self._optimizer.state_dict()}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Go on from what ``state`` returned; raise CheckpointError if it is of another network."""
        try:
            self._policy.load_state_dict(state["model"])
            self._optimizer.load_state_dict(state["optimizer"])
        except (RuntimeError, ValueError, KeyError, TypeError, AttributeError) as error:  # what PyTorch says of others
            raise CheckpointError(f"the state of a clone is of another network: {str(error)[:200]}") from error

    def finish(self) -> None:
        """Move the network back to where it was given."""
        self._policy.to("cpu")

    @contextmanager
    def on_cpu(self) -> Iterator[None]:
        """Move the network to the CPU inside this context, so that what is written of it can be read anywhere."""
        self._policy.to("cpu")
        try:
            yield
        finally:
            self._policy.to(self._device)

    def _step(self, batch: ObservedBatch) -> torch.Tensor:
        """Take one step; return its three figures, those of ``Fit``."""
        observations, masks, actions, outcomes, best, merits = (
            torch.from_numpy(part).to(self._device) for part in batch
        )
        for_policy, for_value = self._policy.mlp_extractor(self._policy.extract_features(observations))
        logits = self._policy.action_net(for_policy).masked_fill(masks == 0, -math.inf)
        if self._temperature > 0.0:
            surprise = judged_surprise(logits, best, merits, self._temperature)
        else:
            surprise = nn.functional.cross_entropy(logits, actions)
        values = self._policy.value_net(for_value).squeeze(1)
        error = nn.functional.mse_loss(values, outcomes)
        self._optimizer.zero_grad()
        (surprise + self._value_weight * error).backward()
        self._optimizer.step()
        agreement = (logits.argmax(dim=1) == actions).float().mean()
        return torch.stack((surprise, agreement, error)).detach()


def judged_surprise(logits: torch.Tensor, best: torch.Tensor, merits: torch.Tensor, temperature: float) -> torch.Tensor:
    """Return the mean cross entropy of what a teacher thinks of its moves.

    Confusing two moves that it thinks nearly the same of costs little then; the choice alone does not say which these
    are.

    Args:
        logits: (n, actions), minus infinity for what is not legal.
        best: (n, JUDGED) the best moves, NONE for no move.
        merits: (n, JUDGED) what it thinks of them.
        temperature: The softmax of the merits over this is to be learned.
    """
    moves = best >= 0
    wanted = torch.softmax((merits / temperature).masked_fill(~moves, -math.inf), dim=1)
    found = torch.log_softmax(logits, dim=1).gather(1, best.clamp(min=0)).masked_fill(~moves, 0.0)
    return -(wanted * found).sum(dim=1).mean()


# --- The portions of games --------------------------------------------------------------------------------------------

Report = Callable[[int, Fit], None]
"""Called after each portion, and after each part of the last pass, with the choices that were played so far, and how
well the network fitted."""
LAST_PARTS = 10
"""Parts of the passes over all choices at the end; between two of them the clone can be stopped."""


class Keeper(Protocol):
    """The object that stops a clone in the making, and saves it."""

    def asked(self) -> bool:
        """Return whether the clone is to stop after this portion."""
        ...

    def save(self) -> None:
        """Write a checkpoint of the clone as it is."""
        ...


class Clone:
    """A clone in the making.

    Attributes:
        choices: Choices of the teacher that were recorded so far.
    """

    def __init__(self, settings: CloneSettings, model: MaskablePPO, board: Board) -> None:
        """Take the settings, and the untrained model, whose network learns.

        Args:
            settings: What the clone depends on.
            model: Whose network learns, on the device of the settings; it is on the CPU when all is learned.
            board: Of all games.

        Raises:
            InvalidOptionError: The teacher or an opponent cannot play this, the network to begin with does not fit, or
                there is no such device.
            CheckpointError: The file of a network cannot be used.
        """
        settings.check_named_players()
        self._settings, self._seats, self._policy, self._board = settings, CloneSeats(settings), model.policy, board
        self._threads = settings.threads or os.cpu_count() or 1
        self._variant = c.VARIANT_NAMES.index(settings.variant)
        device = device_of(settings.device)
        first = settings.first_policy()
        if first is not None:
            take_weights(model.policy, first.weights)
        self._learner = CloneLearner(
            model.policy,  # type: ignore[arg-type]
            settings.vf_coef,
            device,
            settings.temperature,
        )
        inputs, actions = layout_for(settings.variant, "features").size, num_actions(settings.variant)
        self._demonstrations = Demonstrations(settings.buffer_size, board, settings.batch_size, inputs, actions)
        self._begun, self._before = time.monotonic(), 0.0
        self._portions, self._last_parts, self._student = 0, 0, self._memory()
        self._stored = -1  # choices in the file of those to learn from
        self.choices = 0

    @property
    def reports(self) -> int:
        """Largest number of reports by ``learn``."""
        return self._settings.iterations + LAST_PARTS * (self._settings.last_epochs > 0)

    @property
    def done(self) -> int:
        """Number of reports made."""
        return self._portions + self._last_parts

    @property
    def seconds(self) -> float:
        """Seconds spent on this clone, those before a resumption included."""
        return self._before + time.monotonic() - self._begun

    def learn(self, report: Report, keeper: Keeper | None = None) -> bool:
        """Play and learn to the end, or until somebody asks to stop; the network is on the CPU then.

        Args:
            report: Is told how it goes.
            keeper: Is asked whether to stop, and to save the clone every few portions; None for nobody.

        Returns:
            Whether all is learned.
        """
        threads = torch.get_num_threads()
        self._policy.set_training_mode(True)
        try:
            torch.set_num_threads(1)  # the other cores play
            if not self._play(report, keeper):
                return False
            torch.set_num_threads(self._threads)
            return self._learn_from_all(report, keeper)
        finally:
            torch.set_num_threads(threads)
            self._learner.finish()

    def _play(self, report: Report, keeper: Keeper | None) -> bool:
        """Play all portions, or what there is time for, and learn from each while the next one is played.

        Returns:
            Whether nobody asked to stop.
        """
        pool = ThreadPoolExecutor(self._threads, "demonstrations")
        try:
            pending = self._submit(pool, self._portions) if self._has_more(self._portions) else []
            while pending:
                portion, share = self._portions, self._share(self._portions)
                taught = [chunk.result() for chunk in pending]
                self._student = self._memory()
                pending = self._submit(pool, portion + 1) if self._has_more(portion + 1) else []
                new = self._demonstrations.add(taught)
                self.choices += new
                report(self.choices, self._fit(portion, share, self._settings.replay_ratio * new))
                self._portions += 1
                if keeper is not None and self._stops(keeper, self._portions % self._settings.checkpoint_every == 0):
                    return False
        finally:
            pool.shutdown(cancel_futures=True)
        return True

    def _learn_from_all(self, report: Report, keeper: Keeper | None) -> bool:
        """Pass over all choices that are kept, in parts; return whether nobody asked to stop."""
        settings, parts = self._settings, LAST_PARTS if self._demonstrations.size else 0
        while settings.last_epochs > 0 and self._last_parts < parts:
            choices = settings.last_epochs * self._demonstrations.size / LAST_PARTS
            report(self.choices, self._fit(settings.iterations + self._last_parts, 1.0, choices))
            self._last_parts += 1
            if keeper is not None and self._last_parts < parts and self._stops(keeper, False):
                return False
        return True

    @staticmethod
    def _stops(keeper: Keeper, due: bool) -> bool:
        """Return whether the clone is to stop; save it then, or if that is due."""
        asked = keeper.asked()
        if asked or due:
            keeper.save()
        return asked

    def _has_more(self, portion: int) -> bool:
        """Return whether a portion is to be played: the first one, or neither portions nor time are over."""
        return portion == 0 or self._share(portion) < 1.0

    def _share(self, portion: int) -> float:
        """Return which share of the portions or of the time, whichever is more, is over when a portion begins now."""
        limit = 60.0 * self._settings.minutes or math.inf
        return max(portion / self._settings.iterations, min(1.0, self.seconds / limit))

    def _fit(self, portion: int, share: float, choices: float) -> Fit:
        """Learn from so many choices at the rate when a share of all is done, with the random numbers of a portion."""
        settings = self._settings
        rate = falling(settings.learning_rate, settings.last_learning_rate, share)
        steps = max(1, round(choices / settings.batch_size))
        return self._learner.learn(self._demonstrations, steps, rate, self._rng(portion, 1))

    def _rng(self, portion: int, purpose: int) -> np.random.Generator:
        """Return the generator of one thing in one portion."""
        return np.random.default_rng([self._settings.seed, portion, purpose])

    def _submit(self, pool: ThreadPoolExecutor, portion: int) -> list[Future[DemonstrationBatch]]:
        """Begin to play the games of a portion."""
        settings, rng = self._settings, self._rng(portion, 0)
        kinds = rng.integers(len(settings.tables), size=settings.games)
        seeds = rng.integers(1 << 53, size=settings.games)
        codes = self._seats.draw(kinds, rng, student=portion > 0)
        fixtures = fixtures_of(settings.tables, kinds, seeds, codes)
        seated = self._seats.seated(self._student)
        chunks = [fixtures[low : low + CHUNK] for low in range(0, fixtures.size, CHUNK)]
        given, merits = (seated, settings.epsilon), settings.temperature > 0.0
        return [pool.submit(teach, self._board, chunk, *given, merits=merits) for chunk in chunks]

    def _memory(self) -> npt.NDArray[np.uint8]:
        """Return the memory of the network as it is, which plays its most likely move."""
        return policy_memory({self._variant: logits_of_sb3(self._policy.state_dict())})

    @contextmanager
    def state(self, demonstrations: Path) -> Iterator[dict[str, Any]]:
        """Write the choices to learn from to a file, and yield the rest of what ``restore`` needs.

        Inside this context the network is on the CPU.
        """
        if self._stored != self.choices:
            self._demonstrations.save(demonstrations, self.choices)
            self._stored = self.choices
        with self._learner.on_cpu():
            yield {
                **self._learner.state(),
                "student": torch.from_numpy(self._student),
                "portions": self._portions,
                "last_parts": self._last_parts,
                "choices": self.choices,
                "seconds": self.seconds,
            }

    def restore(self, state: Mapping[str, Any], demonstrations: Path) -> bool:
        """Go on from a state; return whether the choices to learn from are there, too.

        Raises:
            CheckpointError: The state is of another network.
        """
        self._learner.restore(state)
        self._student = state["student"].numpy()
        self._portions, self._last_parts = state["portions"], state["last_parts"]
        self.choices, self._before = state["choices"], state["seconds"]
        whole = self._demonstrations.load(demonstrations, self.choices)
        self._stored = self.choices if whole else -1
        return whole

    def measure(self, games: int) -> list[dict[str, Any]]:
        """Return the results of the network against ``greedy``, or in solo, as JSON values."""
        workers = ThreadWorkers(self._board, self._threads)
        seats = {LEARNER_CODE: SeatedPlayer("policy", self._memory()), LEARNER_CODE + 1: SeatedPlayer(GREEDY)}
        try:
            return evaluate(workers, self._settings.tables, PlayerMix(seats, {}), games, GREEDY)
        finally:
            workers.close()


# --- The progress bar ------------------------------------------------------------------------------------------------


@contextmanager
def followed(console: Console, reports: int, shown: bool, done: int = 0) -> Iterator[Callable[[Fit], None]]:
    """Show a bar inside this context; yield the function to call for each of so many reports, some of them done."""
    with progress_bar(console, shown) as progress:
        bar = progress.add_task("cloning", total=reports, completed=done, status="")

        def show(fit: Fit) -> None:
            progress.update(bar, advance=1, status=f"agrees with its teacher in {fit.agreement:.0%}")

        yield show
