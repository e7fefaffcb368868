"""AlphaZero runs: what searches teach, the gradient steps, and runs that stop and go on."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import numpy as np
import pytest
import torch
from rich.console import Console

from endeavor_env import Board, Game
from endeavor_env.endeavor.game import GameConfig
from endeavor_env.endeavor.learning.searched_games import (
    DECISION,
    MOST_OPTIONS,
    RECORDS_ALL_SEARCHED,
    RECORDS_SEARCHES,
    RECORDS_TEACHER,
    TURN_END,
    write_found,
)
from endeavor_env.endeavor.observation import layout_for
from endeavor_env.endeavor.players import entry_named, player_of
from endeavor_env.endeavor.players.network_file import (
    VALUE_NETWORKS,
    num_inputs,
    num_values,
    published_policy,
    read_policy_network,
)
from endeavor_env.endeavor.players.policy.player import policy_memory
from endeavor_env.endeavor.players.search.player import SearchSettings, search_memory
from endeavor_env.endeavor.players.search.tree import tree_of
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.state import STATE
from endeavor_env.engine.kernels.rng import seeded
from endeavor_env.engine.kernels.single import choose_action
from endeavor_env.engine.players import entry_address
from endeavor_env.engine.seating import join_players
from endeavor_env.errors import InvalidOptionError
from endeavor_env.search import Positions
from endeavor_env.training.az.__main__ import train
from endeavor_env.training.az.beginning import MORE_UNITS, read_beginning, with_widths_of
from endeavor_env.training.az.folder import AZRunFolder
from endeavor_env.training.az.games import Searched, play_searches, value_targets
from endeavor_env.training.az.learner import SearchLearner
from endeavor_env.training.az.progress import Progress
from endeavor_env.training.az.replay_buffer import ReplayBuffer, Shapes
from endeavor_env.training.az.run import AZRun, shapes_of
from endeavor_env.training.az.settings import PRESETS, AZSettings, preset
from endeavor_env.training.runs.layers import DivergedError
from endeavor_env.training.runs.running import StopRequest
from endeavor_env.training.td.games import LEARNER_CODE, SeatedPlayer, fixtures_of
from endeavor_env.training.td.settings import GAMES
from endeavor_env.training.td.workers import ThreadWorkers
from tests.kits.networks import random_network
from tests.kits.players import last_turn

TINY = PRESETS["smoke"].replace(begin_with="scratch", evaluate_every=9, iterations=3)
CONSOLE = Console(file=StringIO())


def new_run(path: Path, settings: AZSettings = TINY) -> AZRunFolder:
    """Return the folder of a new run."""
    return AZRunFolder.create(path, settings, "python -m endeavor_env.training.az")


def trained(folder: AZRunFolder) -> bool:
    """Train a run whose games are played on a thread of this process; return whether it came to its end."""
    return train(folder, CONSOLE, workers=ThreadWorkers(folder.board, 1, play_searches))


def searched(game: str, records: int = RECORDS_ALL_SEARCHED, games: int = 2) -> Searched:
    """Play games of the first kind of table with a halving search in all seats."""
    tables, network = GAMES[game], random_network(preset("smoke", game).variant)
    settings = SearchSettings(simulations=6, width=6, considered=4, noise=1.0, full_share=0.5, few=3)
    memory = search_memory({c.VARIANT_NAMES.index(tables[0].variant): network}, settings)
    codes = np.full((games, c.MAX_SEATS), LEARNER_CODE)
    fixtures = fixtures_of(tables, np.zeros(games, np.int64), np.arange(games), codes)
    return play_searches(Board.default(), fixtures, {LEARNER_CODE: SeatedPlayer("search", memory, records)})


@pytest.mark.parametrize("game", list(GAMES))
def test_recorded_probabilities_are_of_legal_actions_and_add_up_to_one(game: str) -> None:
    found = searched(game)
    assert found.decisions.size > 20
    masks = Positions(GameConfig(), found.states).masks()
    assert (masks.sum(axis=1) > 1).all()
    for mask, decision in zip(masks, found.decisions, strict=True):
        options = int(decision["options"])
        assert decision["shares"].sum() == pytest.approx(1.0, abs=1e-4)
        assert (decision["shares"][options:] == 0.0).all()
        assert mask[decision["actions"][:options]].all()
        assert len(set(decision["actions"][:options].tolist())) == options
    assert (Positions(GameConfig(), found.states).seats() == found.decisions["seat"]).all()


def test_what_a_search_found_is_the_mean_of_the_visited_turns_by_their_probabilities() -> None:
    memory = search_memory({c.VARIANT_STANDARD: random_network("standard")}, SearchSettings(considered=3, width=4))
    tree, found = tree_of(memory), np.empty(c.MAX_SEATS)
    tree.nodes["branches"][0], tree.nodes["visits"][0] = 3, 9
    tree.branches["child"][0, :3], tree.branches["improved"][0, :3] = [1, 2, c.NONE], [0.6, 0.2, 0.2]
    tree.nodes["visits"][1:3] = [2, 4]
    tree.nodes["sums"][1, :2], tree.nodes["sums"][2, :2] = [1.0, 0.2], [0.8, 2.0]
    getattr(write_found, "py_func", write_found)(tree, found)
    assert found[:2] == pytest.approx([0.75 * 0.5 + 0.25 * 0.2, 0.75 * 0.1 + 0.25 * 0.5])


def test_where_the_policy_plays_the_search_is_asked_and_changes_no_move() -> None:
    tables, board = GAMES["standard"], Board.default()
    variant, network = c.VARIANT_STANDARD, random_network("standard")
    policy = SeatedPlayer("policy", policy_memory({variant: published_policy("standard").logits}), RECORDS_TEACHER)
    search = SearchSettings(simulations=4, width=4, considered=3)
    teacher = SeatedPlayer("search", search_memory({variant: network}, search), RECORDS_SEARCHES)
    codes = np.full((2, c.MAX_SEATS), LEARNER_CODE + 1)
    fixtures = fixtures_of(tables, np.zeros(2, np.int64), np.arange(2), codes)
    asked = play_searches(board, fixtures, {LEARNER_CODE: teacher, LEARNER_CODE + 1: policy})
    alone = play_searches(board, fixtures, {LEARNER_CODE: teacher, LEARNER_CODE + 1: policy._replace(records=0)})
    assert asked.scores.tolist() == alone.scores.tolist()
    assert (asked.decisions.size > 50, alone.decisions.size) == (True, 0)
    assert np.isfinite(asked.ends["found"][:20]).all()


def test_other_turns_are_recorded_only_if_asked_for_and_change_no_game() -> None:
    all_turns, played = searched("standard"), searched("standard", RECORDS_SEARCHES)
    assert all_turns.scores.tolist() == played.scores.tolist()
    assert (played.ends["searched"] == 0).all()
    assert (all_turns.ends["searched"] == 0).sum() == played.ends.size
    rows = all_turns.ends["searched"] == 0
    assert all_turns.end_states[rows].tobytes() == played.end_states.tobytes()
    assert np.array_equal(all_turns.ends["found"][rows], played.ends["found"], equal_nan=True)


def test_value_targets_mix_the_outcome_with_what_the_next_search_found() -> None:
    ends = np.zeros(3, TURN_END)
    ends["searched"] = [0, 1, 0]
    ends["found"] = [[0.4, 0.2, 0.0, 0.0, 0.0], [0.9, 0.1, 0.0, 0.0, 0.0], [np.nan] * 5]
    outcomes = np.array([[1.0, -0.5, 0.0, 0.0, 0.0]])
    nothing = np.zeros(0, STATE), np.zeros(0, DECISION)
    searched_games = Searched(*nothing, np.zeros(3, STATE), ends, np.zeros((1, 5), np.int64), outcomes, 0, 0, 0.0)
    found = value_targets(searched_games, 0.25)
    assert found[0, :2] == pytest.approx([0.25 * 0.4 + 0.75, 0.25 * 0.2 - 0.75 * 0.5])
    assert found[1, :2] == pytest.approx([0.9, 0.1])  # a turn that was only looked at
    assert found[2, :2] == pytest.approx([1.0, -0.5])  # no search came after it


def test_values_are_drawn_from_the_seat_whose_turn_has_ended_on() -> None:
    found, board = searched("standard"), Board.default()
    shapes = Shapes(layout_for("standard", "features").size, num_inputs("standard"), 1, num_values(["standard"]))
    buffer = ReplayBuffer(5_000, board, shapes)
    buffer.add([found], 0.5)
    batch = buffer.draw_ends(200, np.random.default_rng(0))
    targets, known = value_targets(found, 0.5), {}
    for row, (state, end) in enumerate(zip(found.end_states, found.ends, strict=True)):
        seat = int(end["seat"])
        seen = Positions(GameConfig(board=board), found.end_states[row : row + 1]).observe("features", seat)[0]
        order = [(seat + place) % int(state["num_seats"]) for place in range(int(state["num_seats"]))]
        known.setdefault(seen.tobytes(), []).append(targets[row, order].tolist())
    for inputs, target, seated in zip(batch.inputs, batch.targets, batch.seated, strict=True):
        expected = known[inputs[: shapes.features].tobytes()]
        assert seated.tolist() == [1.0, 1.0, 1.0, 0.0, 0.0]
        assert target[:3].tolist() in expected


def test_a_replay_buffer_is_the_same_after_they_were_stored(tmp_path: Path) -> None:
    found, shapes = searched("solo"), shapes_of(preset("smoke", "solo"))
    one, other = (ReplayBuffer(2_000, Board.default(), shapes) for _ in range(2))
    one.add([found], 0.5)
    files = tmp_path / "decisions.npy", tmp_path / "ends.npy"
    one.save(*files, 3)
    assert not other.load(*files, 2)
    assert other.load(*files, 3)
    for draw in ("draw_decisions", "draw_ends"):
        first, second = (getattr(buffer, draw)(64, np.random.default_rng(1)) for buffer in (one, other))
        assert all((a == b).all() for a, b in zip(first, second, strict=True))


def test_the_learner_fits_probabilities_and_values() -> None:
    settings = TINY.replace(first_width=32, second_width=16, trunk=(32,), head=(16,))
    buffer, shapes = ReplayBuffer(5_000, Board.default(), shapes_of(settings)), shapes_of(settings)
    buffer.add([searched("standard", games=4)], 0.5)
    learner, rng = SearchLearner(shapes, (32, 16), (32, 16), 0, "cpu"), np.random.default_rng(0)
    first = learner.learn(buffer, 128, 128, 64, 1e-3, rng)
    last = learner.learn(buffer, 20_000, 20_000, 64, 3e-3, rng)
    assert last.policy < 0.5 * first.policy
    assert last.value < 0.5 * first.value
    assert last.agreement > first.agreement
    torch.nn.init.constant_(next(learner.model.parameters()), float("nan"))
    with pytest.raises(DivergedError, match=r"diverged at a learning rate of 0\.001: its \w+ is nan"):
        learner.learn(buffer, 128, 128, 64, 1e-3, rng)


def test_a_wider_model_says_what_the_network_said_that_it_took_over() -> None:
    shapes = shapes_of(TINY)
    narrow, wide = SearchLearner(shapes, (8, 4), (8, 4), 0, "cpu"), SearchLearner(shapes, (8, 12), (10, 6), 1, "cpu")
    wide.take(narrow.networks())
    inputs, features = torch.rand(5, shapes.inputs), torch.rand(5, shapes.features)
    with torch.no_grad():
        assert torch.allclose(wide.model.values(inputs), narrow.model.values(inputs), atol=1e-5)
        for one, other in zip(wide.model.choices(features), narrow.model.choices(features), strict=True):
            assert torch.allclose(one, other, atol=1e-5)
    with pytest.raises(InvalidOptionError, match="cannot be taken over"):
        narrow.take(wide.networks())


def test_own_values_stay_while_those_of_other_seats_are_learned() -> None:
    shapes, buffer = shapes_of(TINY), ReplayBuffer(5_000, Board.default(), shapes_of(TINY))
    buffer.add([searched("standard")], 0.5)
    learner = SearchLearner(shapes, (16, 8), (8, 4), 0, "cpu")
    batch = buffer.draw_ends(256, np.random.default_rng(5))
    with torch.no_grad():
        before = learner.model.values(torch.from_numpy(batch.inputs))
    learner.keep_own_values()
    learner.learn(buffer, 0, 30_000, 64, 1e-3, np.random.default_rng(0))
    with torch.no_grad():
        after = learner.model.values(torch.from_numpy(batch.inputs))
    moved = (after - before).abs().mean(dim=0)
    assert moved[0] < 0.3 * moved[1]


@pytest.mark.parametrize("game", list(GAMES))
def test_a_run_leaves_networks_that_play(game: str, tmp_path: Path) -> None:
    folder = new_run(tmp_path / "run", preset("smoke", game).replace(begin_with="scratch", evaluate_every=9))
    assert trained(folder)
    variant = folder.settings.variant
    policy, value = read_policy_network(folder.path / "policy.npz"), VALUE_NETWORKS.read(folder.path / "value.npz")
    assert (policy.variant, value.variants) == (variant, folder.settings.variants)
    assert value.arrays.last.shape[1] == (1 if game == "solo" else c.MAX_SEATS)
    assert {row["player"] for row in value.card["results"]} == {"policy", "value"}
    path = folder.path
    for name in (f"policy:{path}/policy.npz", f"value:{path}/value.npz", f"search:sims=3,policy=0.5,network={path}"):
        assert variant in player_of(name).variants
    assert not list(path.glob("*.npy"))


def test_a_run_that_was_stopped_ends_with_the_weights_of_an_unbroken_one(tmp_path: Path) -> None:
    settings = TINY.replace(checkpoint_every=1)
    whole, broken = new_run(tmp_path / "whole", settings), new_run(tmp_path / "broken", settings)
    assert trained(whole)

    class Once(StopRequest):
        """A request to stop after the first iteration."""

        asked = False

        def __init__(self) -> None:
            self._times = 0

        def __getattribute__(self, name: str):
            if name != "asked":
                return super().__getattribute__(name)
            self._times += 1
            return self._times > 1

    workers = ThreadWorkers(broken.board, 1, play_searches)
    run = AZRun(broken, workers, Progress(CONSOLE, broken.tensorboard, 1), None)
    assert not run.play(Once())
    assert run.done == 1
    run.close()
    assert trained(AZRunFolder.reopen(broken.path))
    for name in ("value.npz", "policy.npz"):
        one, other = (np.load(folder.path / name) for folder in (whole, broken))
        assert all((one[key] == other[key]).all() for key in one.files)


def test_a_run_begins_with_published_networks_and_keeps_what_they_say() -> None:
    settings = TINY.replace(begin_with="published")
    beginning = read_beginning(settings)
    assert beginning.value is not None
    assert beginning.policy is not None
    wider = with_widths_of(settings, beginning)
    first, second = beginning.value.second.shape
    assert (wider.first_width, wider.second_width) == (first, second + MORE_UNITS)
    assert (*wider.trunk, *wider.head) == beginning.policy.logits.second.shape
    with pytest.raises(InvalidOptionError, match="cannot begin with"):
        read_beginning(TINY.replace(begin_with="nobody"))


def test_a_run_begins_with_a_clone_of_a_player(tmp_path: Path) -> None:
    folder = new_run(tmp_path / "run", TINY.replace(begin_with="greedy", players=(3,)))
    assert trained(folder)
    assert read_policy_network(folder.path / "policy.npz").card["training"]["settings"]["begin_with"] == "greedy"


def test_the_search_puts_a_winning_move_first_which_the_prior_does_not() -> None:
    """In the last turn of a game the end is known: the improved probabilities prefer the turn that wins most."""
    game = last_turn(harbor=1, own="colonial_house")
    network = random_network("standard", seed=2)
    settings = SearchSettings(simulations=12, considered=8, width=8, prior_temperature=5.0)
    memory = search_memory({c.VARIANT_STANDARD: network}, settings)
    players = join_players({2: entry_address(entry_named("search"))}, {2: memory})
    choose_action(2, players, *game.given, np.empty(game.mask().size, np.int8), seeded(0))
    tree = tree_of(players.memory)
    turns = tree.branches[0, : tree.nodes["branches"][0]]
    assert len(turns) > 1
    scores = [_score_after(game, turn["path"][: turn["length"]].tolist()) for turn in turns]
    assert turns["prior"].max() < 0.9
    assert scores[int(turns["improved"].argmax())] == max(scores)
    assert turns["improved"].max() > turns["prior"].max()
    assert len(turns) <= MOST_OPTIONS


def _score_after(game: Game, actions: list[int]) -> float:
    """Return the lead of the seat to move when the game has ended after these actions and forced ones."""
    after, seat = game.clone(), game.seat
    for action in actions:
        after.apply(action)
    while not after.over:
        after.apply(after.legal_actions()[0])
    scores = after.scores()
    return scores[seat] - max(score for other, score in enumerate(scores) if other != seat)


def test_tables_that_the_game_does_not_have_are_refused() -> None:
    with pytest.raises(InvalidOptionError, match=r"players=\(3, 9\) is not possible: it should be \[\] for all"):
        TINY.replace(players=(3, 9))
