"""PettingZoo's way to name an environment: ``from endeavor_env import endeavor_v0; env = endeavor_v0.env()``."""

from endeavor_env.envs.aec_env import env, parallel_env, raw_env

__all__ = ["env", "parallel_env", "raw_env"]
