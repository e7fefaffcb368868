"""The advised player: a value player whose choice a policy network takes part in."""

from __future__ import annotations

import math
import shutil
from pathlib import Path

import pytest

from endeavor_env import Game
from endeavor_env.agents.base import ActionValueAgent
from endeavor_env.agents.registry import make_agent
from endeavor_env.endeavor.players.advised.player import WEIGHT
from endeavor_env.endeavor.players.network_file import package_path
from endeavor_env.envs.sampling import generator, sample_action
from endeavor_env.errors import InvalidOptionError

WEIGHTS = (0.0, 5 * WEIGHT, 0.1)


def positions(variant: str, seed: int, every: int = 7) -> list[Game]:
    """Return some positions of a game of random moves, with more than one legal move."""
    game, rng, found = Game.new(None if variant == "solo" else 4, variant=variant, seed=seed), generator(seed), []
    while not game.over:
        if len(game.history) % every == 0 and len(game.legal_actions()) > 1:
            found.append(game.clone())
        game.apply(sample_action(game.mask(), rng))
    return found


def asked(name: str, game: Game) -> ActionValueAgent:
    """Return an agent that can say what it expects."""
    agent = make_agent(name)
    assert isinstance(agent, ActionValueAgent)
    return agent


@pytest.mark.parametrize("variant", ["standard", "solo"])
@pytest.mark.parametrize("weight", WEIGHTS)
def test_it_plays_the_highest_sum_of_value_and_weighted_logarithm(variant: str, weight: float) -> None:
    agent = make_agent(f"advised:weight={weight}")
    changed = 0
    for game in positions(variant, seed=3):
        values = {one.action: one.value for one in asked("value", game).expect(game)}
        shares = {one.action: one.share for one in asked("policy", game).expect(game)}
        merits = {}
        for action, value in values.items():
            assert value is not None
            share = shares[action]
            assert share is not None
            merits[action] = value + (weight * math.log(share) if weight and share > 0.0 else 0.0)
            if weight and share == 0.0:
                merits[action] = -math.inf
        chosen = agent.act(game)
        assert merits[chosen] == pytest.approx(max(merits.values()), abs=1e-6)
        changed += chosen != max(values, key=lambda action: values[action] or 0.0)
    assert (changed > 0) == (weight > 0.0)


def test_it_says_values_and_ranks_by_what_it_would_play() -> None:
    for game in positions("standard", seed=4, every=19):
        agent = asked("advised:weight=0.05", game)
        found = agent.expect(game)
        assert found[0].action == make_agent("advised:weight=0.05").act(game)
        plain = {one.action: one.value for one in asked("value", game).expect(game)}
        assert {one.action: one.value for one in found} == plain


def test_it_expects_something_for_every_seat() -> None:
    from endeavor_env.agents.players.value_agent import ValueAgent

    game = positions("standard", seed=5)[4]
    advised, plain = ValueAgent(player="advised"), ValueAgent()
    assert advised.expect_of_seats(game) == plain.expect_of_seats(game)


def test_networks_of_a_folder_take_the_place_of_those_of_the_package(tmp_path: Path) -> None:
    for kind in ("value", "policy"):
        for suffix in (".npz", ".json"):
            shutil.copy(package_path(f"{kind}_standard").with_suffix(suffix), tmp_path / f"{kind}{suffix}")
    own, usual = make_agent(f"advised:network={tmp_path}"), make_agent("advised")
    for game in positions("standard", seed=6, every=23):
        assert own.act(game) == usual.act(game)
    with pytest.raises(InvalidOptionError, match="does not play 'solo': it was made for standard"):
        own.act(Game.new(variant="solo", seed=1))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ("weight=2", "player 'advised:weight=2' sets weight to '2': give a number from 0 to 1"),
        ("weight=x", "sets weight to 'x': give a number from 0 to 1"),
        ("wait=1", "has no setting 'wait': give weight=<number> and last network=<folder>"),
        (
            f"network={package_path('value_standard')}",
            "policy beside the values, but its network is no folder with value.npz and policy.npz: give network=",
        ),
    ],
)
def test_wrong_settings_are_refused_in_a_sentence(settings: str, message: str) -> None:
    with pytest.raises(InvalidOptionError, match=message):
        make_agent(f"advised:{settings}")


def test_it_does_not_play_where_one_network_is_missing() -> None:
    with pytest.raises(InvalidOptionError, match="does not play 'neutral_2': it was made for standard, solo"):
        make_agent("advised").act(Game.new(variant="neutral_2", seed=1))
