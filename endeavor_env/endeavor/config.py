"""Names of ``endeavor.game`` under which they were known."""

from endeavor_env.endeavor.game import BoardGiven, GameConfig, check_config_alone, given_config, option_value

__all__ = ["BoardGiven", "GameConfig", "check_config_alone", "given_config", "option_value"]
