"""Tournaments: every agent against every other in all fields, rated with intervals."""

from agents.tournament.play import play_tournament
from agents.tournament.result import TournamentResult

__all__ = ["TournamentResult", "play_tournament"]
