"""The exit statuses of all commands, but for 0, which says that all went well."""

from __future__ import annotations

MISTAKE = 2
"""Wrong arguments, or a file that cannot be used."""
INTERRUPTED = 130
"""Stopped by Ctrl-C; the status that shells report for a program that ended so."""
