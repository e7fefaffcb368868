"""Tests of what plays any game."""
