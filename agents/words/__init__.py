"""Matches of a language model behind an OpenAI-compatible endpoint against agents: ``endeavor words``."""
