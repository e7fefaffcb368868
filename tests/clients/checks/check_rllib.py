"""RLlib accepts the environment of docs/clients/rllib.py, and its module plays legally and as the network it leaves."""
# pyright: reportMissingImports=false

import runpy
import tempfile
from pathlib import Path

import numpy as np
import torch
from ray.rllib.utils.pre_checks.env import check_multiagent_environments

from endeavor_env import Game
from endeavor_env.agents.registry import make_agent
from endeavor_env.endeavor.observation import observe
from endeavor_env.endeavor.players.network_file import write_policy_network

SCRIPT = runpy.run_path(str(Path(__file__).resolve().parents[3] / "docs/clients/rllib.py"))
MASK, OBSERVATIONS = SCRIPT["MASK"], SCRIPT["OBSERVATIONS"]
EndeavorMultiAgentEnv, MaskedPolicy, networks_of = (
    SCRIPT[name] for name in ("EndeavorMultiAgentEnv", "MaskedPolicy", "networks_of")
)


class Context(dict):
    """The settings of an environment as RLlib hands them to one of its runners."""

    worker_index = 0


def check_games():
    """Only the agent to move is asked, all are told the end, and runners with near seeds play other games."""
    check_multiagent_environments(EndeavorMultiAgentEnv({"players": [3, 4, 5]}))
    firsts = set()
    for runner in range(3):
        context = Context(players=[3, 4, 5])
        context.worker_index = runner
        env, rng = EndeavorMultiAgentEnv(context), np.random.default_rng(runner)
        for game in range(4):
            seen, _ = env.reset(seed=1000 + runner + game)
            over, played = False, []
            while not over:
                (agent,) = seen
                played.append(int(rng.choice(np.flatnonzero(seen[agent][MASK]))))
                seen, rewards, ended, _, _ = env.step({agent: played[-1]})
                over = ended["__all__"]
            assert set(seen) == set(rewards) == set(env.agents)
            firsts.add(tuple(played))
    assert len(firsts) == 12


def check_module(folder):
    """The likeliest move of the module is that of the network in the kernels; empty masks give finite numbers."""
    torch.manual_seed(3)
    env = EndeavorMultiAgentEnv({"players": [3]})
    module = MaskedPolicy(
        observation_space=env.observation_spaces["player_0"], action_space=env.action_spaces["player_0"]
    )
    for parameter in module.parameters():
        torch.nn.init.normal_(parameter, std=0.2)
    logits, value = networks_of(module.get_state())
    path = write_policy_network(folder / "policy.npz", logits, value, "standard", {}, version="0")
    agent, rng, game, chosen = (
        make_agent(f"policy:{path}"),
        np.random.default_rng(7),
        Game.new(players=3, seed=5),
        set(),
    )
    while not game.over:
        seen, mask = torch.from_numpy(observe(game))[None], torch.from_numpy(game.mask())[None]
        logits = module.forward_inference({"obs": {OBSERVATIONS: seen, MASK: mask}})["action_dist_inputs"]
        drawn = module.get_exploration_action_dist_cls().from_logits(logits.repeat(50, 1)).sample()
        assert mask[0][drawn].all()
        assert agent.act(game) == int(logits.argmax())
        chosen.add(int(logits.argmax()))
        game.apply(int(rng.choice(game.legal_actions())))
    assert len(chosen) > 5
    nothing = module.forward_train({"obs": {OBSERVATIONS: seen, MASK: torch.zeros_like(mask)}})
    assert torch.isfinite(nothing["action_dist_inputs"]).all()


def main():
    """Check both."""
    check_games()
    with tempfile.TemporaryDirectory() as folder:
        check_module(Path(folder))


if __name__ == "__main__":
    main()
