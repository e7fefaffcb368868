"""Compiled players."""
