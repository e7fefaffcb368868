"""Names of ``merchants.game`` under which they were known."""

from endeavor_env.merchants.game import MOST_ROLLS, STARTS, TRADES, BoardGiven, MerchantsConfig, read_options

__all__ = ["MOST_ROLLS", "STARTS", "TRADES", "BoardGiven", "MerchantsConfig", "read_options"]
