"""Tournaments: every agent against every other in all fields, rated with intervals."""

from endeavor_env.agents.tournament.play import play_tournament
from endeavor_env.agents.tournament.result import TournamentResult

__all__ = ["TournamentResult", "play_tournament"]
