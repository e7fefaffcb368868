"""The agents: each plays one seat of a Game."""
