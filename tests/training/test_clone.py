"""Clones: what they learn from, and that they learn it."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch

from endeavor_env import Board, Game
from endeavor_env.agents.checkpoint import read_card
from endeavor_env.agents.players.policy import logits_of_sb3, value_of_sb3
from endeavor_env.agents.players.value_agent import ValueAgent
from endeavor_env.agents.registry import make_agent
from endeavor_env.endeavor.learning.demonstrations import JUDGED
from endeavor_env.endeavor.players.network_file import read_policy_network
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.engine.network_file import network_outputs
from endeavor_env.training.clone import run as learner_module
from endeavor_env.training.clone.demonstrations import STUDENT, TEACHER, Demonstrations
from endeavor_env.training.clone.run import LAST_PARTS, Clone, Fit, judged_surprise
from endeavor_env.training.ppo.model import bare_model
from endeavor_env.training.runs.first_policy import read_first_policy, take_weights
from endeavor_env.training.runs.layers import DivergedError, check_finite
from tests.kits.checkpoints import untrained_checkpoint
from tests.kits.clones import SMALL, lessons_of, small_checkpoint, small_network
from tests.kits.commands import run_command

STILL = {"learning_rate": 1e-12, "last_learning_rate": 1e-12, "last_epochs": 0.0}
"""Settings with which next to nothing is learned."""


@pytest.mark.parametrize(("mover", "explore"), [(TEACHER, 0.0), (TEACHER, 0.5), (STUDENT, 0.1)])
def test_whoever_moves_the_choices_are_the_teachers_where_there_is_more_than_one(
    tmp_path: Path, mover: int, explore: float
) -> None:
    teacher = f"policy:{untrained_checkpoint(tmp_path, 'standard', activation='relu')}"
    taught, agent = lessons_of(mover, 1, explore, teacher), make_agent(teacher)
    game = Game.new(3, seed=1)
    assert taught.choices.size > 50
    for place in range(taught.choices.size):
        game.state[:] = taught.states[place : place + 1]
        assert game.mask().sum() > 1
        assert agent.act(game) == taught.choices["action"][place]


@pytest.mark.parametrize("teacher", ["advised:weight=0", "advised"])
def test_of_a_teacher_that_judges_its_moves_the_best_are_recorded_with_what_it_thinks_of_them(teacher: str) -> None:
    taught, agent = lessons_of(TEACHER, 1, 0.1, teacher, merits=True), make_agent(teacher)
    assert isinstance(agent, ValueAgent)
    game, advice = Game.new(3, seed=1), [0.0]
    for place in range(0, taught.choices.size, 3):
        game.state[:] = taught.states[place : place + 1]
        choice, expected = taught.choices[place], agent.expect(game)
        count, found = min(JUDGED, len(expected)), choice["best"].tolist()
        assert found == [move.action for move in expected[:JUDGED]] + [c.NONE] * (JUDGED - count)
        assert choice["action"] == found[0]
        merits, values = choice["merits"].tolist(), [move.value or 0.0 for move in expected[:JUDGED]]
        assert merits[count:] == [0.0] * (JUDGED - count)
        if teacher == "advised":  # the logarithm of a probability is added, below 0 for all but a certain move
            assert all(merit < value + 1e-6 for merit, value in zip(merits[:count], values, strict=True))
            advice.append(values[count - 1] - merits[count - 1])
        else:
            assert merits[:count] == pytest.approx(values, abs=1e-6)
    assert (max(advice) > 0.01) == (teacher == "advised")
    assert (taught.choices["best"][:, -1] >= 0).any()
    assert (taught.choices["best"][:, 2] == c.NONE).any()


def test_without_merits_nothing_is_recorded_of_them() -> None:
    assert not lessons_of(TEACHER, 1, 0.0, "advised").choices["merits"].any()


def test_what_is_learned_of_judged_moves_is_the_softmax_of_their_merits() -> None:
    logits = torch.tensor([[0.5, -math.inf, 2.0, 1.0], [1.0, 0.0, -math.inf, -math.inf]])
    best = torch.tensor([[2, 0, 3], [1, 0, c.NONE]])
    merits = torch.tensor([[0.9, 0.7, 0.6], [0.2, 0.1, 0.0]])
    expected = []
    for row, moves, worth in (([0.5, 2.0, 1.0], [1, 0, 2], [0.9, 0.7, 0.6]), ([1.0, 0.0], [1, 0], [0.2, 0.1])):
        wanted, found = np.exp(np.divide(worth, 0.1)), np.log(np.exp(row) / np.exp(row).sum())
        expected.append(-(wanted / wanted.sum() * found[moves]).sum())
    assert judged_surprise(logits, best, merits, 0.1).item() == pytest.approx(np.mean(expected), rel=1e-5)
    choices = torch.nn.functional.cross_entropy(logits, best[:, 0])
    assert judged_surprise(logits, best, merits, 1e-3).item() == pytest.approx(choices.item(), rel=1e-5)


def test_a_wider_clone_begins_with_what_a_network_says(tmp_path: Path) -> None:
    narrow, wide = bare_model("standard", (24,), (16,), 3), bare_model("standard", (40,), (20,), 4)
    take_weights(wide.policy, read_first_policy(str(small_network(tmp_path)), "standard").weights)
    unseen = Demonstrations(4000, Board.default(), 100, 1971, 197)
    unseen.add([lessons_of(TEACHER, 1)])
    seen = torch.from_numpy(unseen.observe(np.random.default_rng(1)).observations)
    with torch.no_grad():
        for name in ("action_net", "value_net"):
            said = [
                getattr(model.policy, name)(model.policy.mlp_extractor(model.policy.extract_features(seen))[part])
                for model in (narrow, wide)
                for part in [int(name == "value_net")]
            ]
            assert said[0].std() > 0
            torch.testing.assert_close(said[1], said[0], rtol=0, atol=1e-5)


def test_a_clone_learns_the_merits_of_moves_from_a_network_on(tmp_path: Path) -> None:
    given = "--from", "advised", "--preset", "smoke", "--no-progress", "--out", str(tmp_path / "clone")
    changes = f"begin_with={small_network(tmp_path)}", "temperature=0.05", "threads=1", "games=10", "iterations=3"
    outcome = run_command(
        "endeavor_env.training.clone", *given, *(word for text in changes for word in ("--set", text))
    )
    assert outcome.status == 0, outcome.err
    settings = read_card(tmp_path / "clone" / "policy.zip")["training"]["settings"]
    assert (settings["temperature"], settings["trunk"]) == (0.05, [32])


def test_outcomes_are_those_of_the_seats() -> None:
    taught = lessons_of(TEACHER)
    for index in range(3):
        rows = np.flatnonzero(taught.choices["fixture"] == index)
        seats, outcomes = taught.states["seat"][rows], taught.choices["outcome"][rows]
        by_seat = {int(seat): set(outcomes[seats == seat].tolist()) for seat in np.unique(seats)}
        assert all(len(found) == 1 for found in by_seat.values())
        assert sum(outcome.pop() > 0.5 for outcome in by_seat.values()) == 1


def test_the_newest_choices_are_kept() -> None:
    taught = lessons_of(TEACHER)
    demonstrations = Demonstrations(100, Board.default(), 64, 1971, 197)
    assert demonstrations.add([taught]) == taught.choices.size > 200
    assert demonstrations.size == 100
    batch = demonstrations.observe(np.random.default_rng(0))
    assert set(batch.actions.tolist()) <= set(taught.choices["action"][-100:].tolist())
    assert (batch.masks[np.arange(64), batch.actions] == 1).all()


def test_a_clone_learns_in_seconds_to_agree_with_its_teacher_far_above_chance() -> None:
    settings = SMALL.replace(
        iterations=3, games=40, batch_size=256, replay_ratio=3.0, student=0.2, trunk=(48,), head=(32,)
    )
    model = bare_model(settings.variant, settings.trunk, settings.head, 0)
    fits: list[Fit] = []
    clone = Clone(settings, model, Board.default())
    clone.learn(lambda _, fit: fits.append(fit))
    unseen = Demonstrations(4000, Board.default(), 2000, 1971, 197)
    unseen.add([lessons_of(TEACHER, 5)])
    batch = unseen.observe(np.random.default_rng(1))
    with torch.no_grad():
        chosen, _, _ = model.policy(
            torch.from_numpy(batch.observations), deterministic=True, action_masks=batch.masks.astype(np.bool_)
        )
    chance = float((1 / batch.masks.sum(axis=1)).mean())
    assert chance < 0.3
    assert (chosen.numpy() == batch.actions).mean() > chance + 0.2
    assert fits[-1].surprise < fits[0].surprise
    assert clone.choices > 10_000


def test_a_clone_depends_on_its_seed_alone() -> None:
    states = []
    for threads in (1, 2):
        settings = SMALL.replace(threads=threads, last_epochs=0.0)
        model = bare_model("standard", settings.trunk, settings.head, settings.seed)
        Clone(settings, model, Board.default()).learn(lambda *_: None)
        states.append(model.policy.state_dict())
    assert all(torch.equal(states[0][name], states[1][name]) for name in states[0])


def test_when_its_minutes_are_over_a_clone_learns_what_it_has_and_ends() -> None:
    settings = SMALL.replace(iterations=50)
    model = bare_model("standard", settings.trunk, settings.head, settings.seed)
    before = {name: weights.clone() for name, weights in model.policy.state_dict().items()}
    reported: list[int] = []
    clone = Clone(settings.replace(minutes=1e-9), model, Board.default())
    clone.learn(lambda choices, _: reported.append(choices))
    assert len(reported) == 1 + LAST_PARTS  # the first portion, and the passes at the end
    assert set(reported) == {clone.choices} != {0}
    assert any(not torch.equal(before[name], weights) for name, weights in model.policy.state_dict().items())


def test_a_clone_that_is_ended_by_who_hears_of_it_leaves_the_network_and_threads_as_they_were() -> None:
    model, threads = bare_model("standard", SMALL.trunk, SMALL.head, SMALL.seed), torch.get_num_threads()

    def enough(*_: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Clone(SMALL, model, Board.default()).learn(enough)
    assert {weights.device.type for weights in model.policy.state_dict().values()} == {"cpu"}
    assert torch.get_num_threads() == threads


@pytest.mark.parametrize("stored", [small_network, small_checkpoint])
def test_a_clone_that_learns_next_to_nothing_says_what_the_network_says_that_it_begins_with(
    tmp_path: Path, stored: Callable[[Path], Path]
) -> None:
    given = read_policy_network(small_network(tmp_path))
    settings = SMALL.replace(begin_with=str(stored(tmp_path)), iterations=1, games=2, **STILL)
    model = bare_model("standard", settings.trunk, settings.head, settings.seed)
    Clone(settings, model, Board.default()).learn(lambda *_: None)
    unseen = Demonstrations(4000, Board.default(), 100, 1971, 197)
    unseen.add([lessons_of(TEACHER, 1)])
    seen = unseen.observe(np.random.default_rng(1)).observations
    weights = model.policy.state_dict()
    for learned, before in ((logits_of_sb3(weights), given.logits), (value_of_sb3(weights), given.value)):
        said = network_outputs(before, seen)
        assert said.std() > 0
        np.testing.assert_allclose(network_outputs(learned, seen), said, rtol=0, atol=1e-4)


def test_a_clone_of_judged_moves_learns_the_softmax_of_the_merits_that_were_recorded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told: list[tuple[torch.Tensor, torch.Tensor, float]] = []
    surprises: list[float] = []

    def heard(logits: torch.Tensor, best: torch.Tensor, merits: torch.Tensor, temperature: float) -> torch.Tensor:
        told.append((best, merits.clone(), temperature))
        surprise = judged_surprise(logits, best, merits, temperature)
        surprises.append(surprise.item())
        return surprise

    monkeypatch.setattr(learner_module, "judged_surprise", heard)
    settings = SMALL.replace(teacher="advised", temperature=0.05, iterations=1, games=2, **STILL)
    model = bare_model("standard", settings.trunk, settings.head, settings.seed)
    fits: list[Fit] = []
    Clone(settings, model, Board.default()).learn(lambda _, fit: fits.append(fit))
    assert told
    assert fits[0].surprise == pytest.approx(np.mean(surprises), rel=1e-5)
    for best, merits, temperature in told:
        assert temperature == 0.05
        assert (best[:, :2] >= 0).all()  # a choice has two moves at least
        assert (merits[:, 0] >= merits[:, 1]).all()
        assert (merits[:, 0] > merits[:, 1]).float().mean() > 0.9


def test_however_a_clone_ends_its_network_moves_back_to_the_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    model = bare_model("standard", SMALL.trunk, SMALL.head, SMALL.seed)
    policy, moved = model.policy, []

    def to(device: str) -> object:
        moved.append(device)
        return policy

    def enough(*_: object) -> None:
        assert moved == ["cpu"]  # that of the settings
        raise KeyboardInterrupt

    monkeypatch.setattr(policy, "to", to)
    clone = Clone(SMALL.replace(device="cpu"), model, Board.default())
    with pytest.raises(KeyboardInterrupt):
        clone.learn(enough)
    assert moved == ["cpu", "cpu"]
    meta = learner_module.CloneLearner(bare_model("standard", (8,), (8,), 0).policy, 0.5, "meta")  # type: ignore[arg-type]
    with pytest.raises(NotImplementedError, match="meta"):  # whose networks hold nothing that could be moved
        meta.finish()


@pytest.mark.parametrize(("worth", "what"), [(math.nan, "its surprise is nan"), (1e30, "its value_error is inf")])
def test_a_network_that_diverges_ends_its_learning(worth: float, what: str) -> None:
    policy = bare_model("standard", (8,), (8,), 0).policy
    learner = learner_module.CloneLearner(policy, 0.5)  # type: ignore[arg-type]
    lessons = Demonstrations(4000, Board.default(), 64, 1971, 197)
    lessons.add([lessons_of(TEACHER, 1)])
    layer = policy.action_net if math.isnan(worth) else policy.value_net
    torch.nn.init.constant_(layer.weight, worth)  # type: ignore[arg-type]
    with pytest.raises(DivergedError, match=f"diverged at a learning rate of 0.003: {what}.*a lower learning_rate"):
        learner.learn(lessons, 1, 0.003, np.random.default_rng(0))


def test_weights_that_are_not_finite_are_found_though_no_loss_tells() -> None:
    sound, broken = torch.ones(3, 2), torch.tensor([1.0, math.inf])
    check_finite({"value": 0.1}, [sound], 1e-3)
    with pytest.raises(DivergedError, match="its weights are not finite, and it is not written"):
        check_finite({"value": 0.1}, [sound, broken], 1e-3)
