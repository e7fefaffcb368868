"""Endeavor (2009) as a taskset of verifiers, under the id ``endeavor-v1``."""

from endeavor_env.verifiers import EndeavorEnv, EndeavorHarness, EndeavorTaskset

__all__ = ["EndeavorEnv", "EndeavorHarness", "EndeavorTaskset"]
