"""Tests of positions, their bytes, and rollouts."""
