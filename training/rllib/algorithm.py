"""RLlib's PPO for the settings of a run."""

from __future__ import annotations

import logging
from typing import Any

from ray.rllib.algorithms.algorithm import Algorithm
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModuleSpec

from endeavor_env.basics.inputs import derived_seed
from endeavor_env.training.rllib.env import EndeavorMultiAgentEnv
from endeavor_env.training.rllib.folder import RLlibSettings
from endeavor_env.training.rllib.module import MaskedPolicy
from endeavor_env.training.runs.ray_machines import Machines

POLICY = "shared"
"""The module that plays all learning seats."""
SCORE = "score"
"""The figure of RLlib's environment runners that is the mean score of the learning seats."""
_CLIP = 0.2
_VALUE_LOSS = 0.5
_MAX_GRADIENT = 0.5
_SAMPLING = 600.0  # seconds that a runner may take for its part of a batch; one that dies is noticed at once
_WINDOW = 200  # finished games the mean score is taken over


def make_algorithm(settings: RLlibSettings, machines: Machines, seed: int) -> Algorithm:
    """Return PPO for a run, untrained; Ray must be connected.

    Args:
        settings: What to learn.
        machines: How many processes take part. Lost ones are replaced as soon as there is a place for them, and the
            others go on meanwhile.
        seed: Of this part of the run: after a resumption another one, so that games do not repeat.
    """
    logging.getLogger("ray.rllib").setLevel(logging.ERROR)
    decay = [[0, settings.learning_rate], [settings.steps, settings.last_learning_rate]]
    config = (
        PPOConfig()
        .environment(EndeavorMultiAgentEnv, env_config={"settings": settings}, disable_env_checking=True)
        .env_runners(
            num_env_runners=machines.env_runners,
            num_envs_per_env_runner=settings.num_envs_per_env_runner,
            sample_timeout_s=_SAMPLING,
        )
        .learners(num_learners=machines.learners)
        .multi_agent(policies={POLICY}, policy_mapping_fn=_policy_of)
        .rl_module(
            rl_module_spec=MultiRLModuleSpec(
                rl_module_specs={
                    POLICY: RLModuleSpec(
                        module_class=MaskedPolicy, model_config={"network": settings.network.to_dict()}
                    )
                }
            )
        )
        .training(
            train_batch_size_per_learner=settings.train_batch_size,
            minibatch_size=settings.batch_size,
            num_epochs=settings.n_epochs,
            lr=decay,
            gamma=settings.gamma,
            lambda_=settings.gae_lambda,
            entropy_coeff=settings.ent_coef,
            clip_param=_CLIP,
            vf_loss_coeff=_VALUE_LOSS,
            use_kl_loss=False,
            grad_clip=_MAX_GRADIENT,
            grad_clip_by="global_norm",
        )
        .fault_tolerance(restart_failed_env_runners=True)
        .callbacks(on_episode_end=_log_score)
        .debugging(seed=derived_seed(seed) >> 22, log_level="ERROR")  # RLlib counts on from it, and wants 32 bits
    )
    return config.build_algo()


def _policy_of(agent: str, episode: Any, **_: Any) -> str:
    """Return the module that plays ``agent``: all share one."""
    return POLICY


def _log_score(*, episode: Any, metrics_logger: Any, **_: Any) -> None:
    """Log the mean score of the learning seats of a finished game."""
    infos = episode.get_infos(-1)
    finished = {agent: info for agent, info in infos.items() if info.get("reason") == "game_over"}
    scores = [info["scores"][int(agent.rpartition("_")[2])] for agent, info in finished.items()]
    if scores:
        metrics_logger.log_value(SCORE, sum(scores) / len(scores), window=_WINDOW)
