"""Tournaments: every agent against every other in all fields, rated with intervals."""

from endeavor_env.agents.tournament.result import TournamentResult, play_tournament

__all__ = ["TournamentResult", "play_tournament"]
