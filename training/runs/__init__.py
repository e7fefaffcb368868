"""Shared parts of all trainers: folders of runs and their locks, settings as JSON and their checks, curves, Ctrl-C."""
