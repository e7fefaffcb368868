"""What all trainers share: folders of runs and their locks, settings as JSON and their checks, curves, Ctrl-C."""
