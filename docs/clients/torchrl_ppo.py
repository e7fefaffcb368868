"""PPO of TorchRL with MaskedCategorical, on 64 games at once through its GymWrapper.

    pip install -e . torch torchrl && python docs/clients/torchrl_ppo.py

TorchRL wants the mask as bool (``mask_dtype="bool"``) and starts the games that ended itself (``autoreset_mode``
DISABLED). One game at a time works as well: ``GymEnv("Endeavor-v0", mask_dtype="bool")``; so do all seats at once:
``PettingZooWrapper(endeavor_v0.env(), use_mask=True)``.
"""
# pyright: reportMissingImports=false

import argparse
import sys
import time

import against_random
import gymnasium
import torch
from tensordict import TensorDict
from tensordict.nn import TensorDictModule
from torch import nn
from torchrl.collectors import Collector
from torchrl.envs import GymWrapper
from torchrl.envs.utils import ExplorationType, set_exploration_type
from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

import endeavor_env  # noqa: F401 (registers Endeavor-v0)

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--steps", type=int, default=65_536, help="decisions of the learner to train for")
parser.add_argument("--seed", type=int, default=0)
args = parser.parse_args()

GAMES, BATCH, MINIBATCH, EPOCHS = 64, 4096, 512, 3
torch.manual_seed(args.seed)
options = {"players": 3, "opponents": "random", "learner_seat": "rotate", "observation": "compact", "reward": "margin"}
options |= {"mask_dtype": "bool", "autoreset_mode": gymnasium.vector.AutoresetMode.DISABLED}
env = GymWrapper(gymnasium.make_vec("Endeavor-v0", GAMES, **options), categorical_action_encoding=True)
env.set_seed(args.seed)
actions = env.action_spec.space.n


class Network(nn.Sequential):
    """Two layers from a compact observation, which is int8, to ``outputs`` numbers."""

    def __init__(self, outputs: int) -> None:
        """Make the layers; the first finds out the size of the observation by itself."""
        super().__init__(nn.LazyLinear(128), nn.Tanh(), nn.Linear(128, outputs))

    def forward(self, input: torch.Tensor) -> torch.Tensor:
        """Return (..., outputs)."""
        return super().forward(input.float())


actor = ProbabilisticActor(
    TensorDictModule(Network(actions), in_keys=["observation"], out_keys=["logits"]),
    in_keys={"logits": "logits", "mask": "action_mask"},
    distribution_class=MaskedCategorical,
    return_log_prob=True,
)
critic = ValueOperator(Network(1), in_keys=["observation"])
with torch.no_grad():
    critic(actor(env.reset()))  # now the sizes of all layers are known
loss_module = ClipPPOLoss(actor, critic, entropy_coeff=0.01, critic_coeff=0.5, normalize_advantage=True)
advantages = GAE(gamma=1.0, lmbda=0.95, value_network=critic)
optimizer = torch.optim.Adam(loss_module.parameters(), lr=1e-3)

start = time.perf_counter()
collector = Collector(env, actor, frames_per_batch=BATCH, total_frames=args.steps, auto_register_policy_transforms=True)
for batch in collector:
    for _ in range(EPOCHS):
        advantages(batch)
        flat = batch.reshape(-1)
        for rows in torch.randperm(BATCH).split(MINIBATCH):
            losses = loss_module(flat[rows])
            loss = losses["loss_objective"] + losses["loss_critic"] + losses["loss_entropy"]
            assert torch.isfinite(loss), "the loss is no number"
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(loss_module.parameters(), 0.5)
            optimizer.step()
collector.shutdown()
seconds = round(time.perf_counter() - start)


def policy(observations, masks):
    """Return the likeliest legal action of each game."""
    seen = TensorDict({"observation": observations, "action_mask": masks}, batch_size=[len(masks)])
    with torch.no_grad(), set_exploration_type(ExplorationType.DETERMINISTIC):
        return actor(seen)["action"].numpy()


shares = against_random.shares_of_wins(policy)
sys.exit(against_random.report("torchrl_ppo", shares, steps=args.steps, seconds=seconds))
