"""Play a game between four language models, to try the harness.

Usage:
    OPENAI_API_KEY=... python -m kaggle_environments.envs.open_spiel_env.games.endeavor.test_llm_game
"""
# pyright: reportMissingImports=false

from __future__ import annotations

from kaggle_environments.local_harness_runner import run_llm_game

if __name__ == "__main__":
    run_llm_game("open_spiel_endeavor", caller_file=__file__, num_agents=4)
