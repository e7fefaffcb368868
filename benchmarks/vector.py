"""The speed of batches of games, by size, observation, threads and mode."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

from endeavor_env.benchmarks.batch_play import APIS, LEARNER, NO_OBSERVATION, OBSERVATIONS, SELF_PLAY, BatchSetting
from endeavor_env.benchmarks.machine import usable_cores
from endeavor_env.benchmarks.report import Figure, Section
from endeavor_env.benchmarks.timing import SMOKE, Effort, in_turns

SIZES = (1, 64, 1024, 8192)
SMOKE_SIZES = (1, 64)
SHARED = 1024
"""Size from which a batch is measured with all cores as well; smaller ones gain nothing by another thread."""
SIZE_OF_THREADS = 8192
"""Size of the batches in the figures by number of threads."""
EFFORT = Effort(5, 0.2)
"""Shorter than in other sections, because there are many figures."""


HEADINGS = {
    ("Batch", SELF_PLAY): "`Batch`, self-play: sample, step, mask, autoreset, observation",
    ("Batch", LEARNER): "`Batch`, a learner and three random opponents: all seats' decisions",
    ("make_vec", SELF_PLAY): "`gymnasium.make_vec`, self-play",
    ("make_vec", LEARNER): "`gymnasium.make_vec`, a learner and three random opponents: all seats' decisions",
}


def thread_counts(cores: int) -> list[int]:
    """Return 1, 2, 4, ... and the number of cores."""
    return sorted({min(2**power, cores) for power in range(cores.bit_length() + 1)})


def settings(sizes: Iterable[int], cores: int) -> list[BatchSetting]:
    """Return all settings to measure: each size with one thread and, from ``SHARED`` games on, with all cores."""
    found: list[BatchSetting] = []
    for api, mode in HEADINGS:
        for observation in OBSERVATIONS:
            if api == "make_vec" and observation == NO_OBSERVATION:
                continue  # an environment always has an observation
            for size in sizes:
                counts = [1, cores] if size >= SHARED else [1]
                if (api, mode, size) == ("Batch", SELF_PLAY, SIZE_OF_THREADS):
                    counts = thread_counts(cores)
                found += [BatchSetting(api, mode, observation, size, threads) for threads in dict.fromkeys(counts)]
    return found


def measure(wanted: Sequence[BatchSetting], effort: Effort) -> dict[BatchSetting, list[float]]:
    """Return the decisions per second of each setting, one for every repeat; the settings take turns."""
    works = {setting: APIS[setting.api](setting) for setting in wanted}
    try:
        return in_turns({setting: work.turn for setting, work in works.items()}, effort)
    finally:
        for work in works.values():
            work.close()


def vector(smoke: bool) -> tuple[list[Section], list[dict[str, Any]]]:
    """Measure all settings; return the tables, and each setting with its figures as JSON values."""
    everything = settings(SMOKE_SIZES if smoke else SIZES, usable_cores())
    found: dict[BatchSetting, list[float]] = {}
    for mode in (SELF_PLAY, LEARNER):  # both interfaces in turns, so that they can be compared
        found |= measure([setting for setting in everything if setting.mode == mode], SMOKE if smoke else EFFORT)
    sections, throughput = [], []
    for (api, mode), heading in HEADINGS.items():
        wanted = [setting for setting in everything if (setting.api, setting.mode) == (api, mode)]
        sections.append(
            Section(heading, [Figure.of(setting.label, "decisions/s", found[setting]) for setting in wanted])
        )
        throughput += [{**asdict(setting), "rates": found[setting]} for setting in wanted]
    return sections, throughput
