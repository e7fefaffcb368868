"""What the presets of ``endeavor_env.training.td`` change for a game."""

from __future__ import annotations

import pytest

from endeavor_env.training.td.settings import GAMES, TDSettings, preset


@pytest.mark.parametrize("game", list(GAMES))
def test_quick_of_the_base_game_alone_ends_with_the_mean_of_its_last_networks(game: str) -> None:
    quick, plain = preset("quick", game), TDSettings(preset="plain")
    steady = (quick.learning_rate, quick.last_learning_rate, quick.average)
    assert (steady != (plain.learning_rate, plain.last_learning_rate, plain.average)) == (game == "standard")
    assert (quick.average > 0) == (game == "standard")
    assert quick.last_learning_rate < quick.learning_rate
    assert 0 <= quick.average < 1
