"""Machine code on this machine: files, folders, processors, and calls. Nothing here changes what the code is."""

from __future__ import annotations
