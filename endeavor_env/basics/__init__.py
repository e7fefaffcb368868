"""Basics of every room: checks of arguments, files and their locks, lazy names, child processes."""
