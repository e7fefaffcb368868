"""Search weights of the player ``greedy`` by CMA-ES, and compare those found with the first ones.

    python docs/log/tune_greedy.py solo --generations 122
    python docs/log/tune_greedy.py table --generations 82 --sigma 0.5 --start growth=1.01,build_level=0.369
    python docs/log/tune_greedy.py merchants --generations 30 --population 12 --games 24 --sigma 0.7

The first argument names the weights: those of games at a table, of the solitaire game, of Exploits, or of Merchants of
Europe. All candidates of a generation play the same new set-ups from the same seats. The others at a table are
``automa`` in a quarter of the matches (not in Merchants of Europe), the first weights in three eighths, else a mean of
one of the last generations. A win counts 1, and each point of lead a little. The mean of the last generation is printed
as the name of an agent.

Needs the package ``cmaes``. 2026-11-22-weights-of-greedy.md has what the weights of the package win. The command
``endeavor train tune-greedy``, in the checkout until commit 019d950e, found them with other random numbers.
"""

import argparse
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from cmaes import CMA  # pyright: ignore[reportMissingImports] - no extra brings it

from endeavor_env.agents.statistics import wilson_interval, win_shares
from endeavor_env.endeavor.game import GameConfig as EndeavorConfig
from endeavor_env.endeavor.players.greedy.weights import EXPLOIT_PREFIX, NAMES, SOLO_PREFIX, WEIGHTS
from endeavor_env.endeavor.rules.constants import DIFFICULTY_NAMES
from endeavor_env.engine.game import GameConfig
from endeavor_env.engine.search.positions import Positions
from endeavor_env.engine.search.rollouts import rollout
from endeavor_env.merchants.game import MerchantsConfig
from endeavor_env.merchants.players.greedy.weights import WEIGHTS as MERCHANTS_WEIGHTS

SHARE, LEAST = 0.25, 0.1
"""Unit of sigma for a weight: this share of its value, and this much more for weights near 0."""
FIELD = 8
"""Last generations whose means play against the candidates."""
SEED_END = 1 << 53
CHECK_SEED = 1_000_003
"""Seed of the set-ups of the comparison."""

Array = npt.NDArray[np.float64]


class Subject(NamedTuple):
    """Weights to search, and the games in which they count."""

    tables: dict[str, GameConfig]
    """What is played in turn, by a name to print."""
    weights: dict[str, float]
    """The weights of the player, by name."""
    automa: bool = True
    """Whether ``automa`` is among the others."""
    lead: float = 0.02
    """Worth of a point of lead, where a win is worth 1."""
    most: float = 30.0
    """Largest lead or deficit that counts."""


def subject(name: str) -> Subject:
    """Return what is searched under a name."""
    if name == "merchants":
        kinds = [(side, players) for side in ("short", "expert") for players in (3, 4)]
        sides: dict[str, GameConfig] = {f"{side}, {players}": MerchantsConfig(players, side) for side, players in kinds}
        return Subject(sides, MERCHANTS_WEIGHTS._asdict(), False, 0.05, np.inf)
    known = dict(zip(NAMES, WEIGHTS.as_array().tolist(), strict=True))
    of_solo, of_exploits = (
        {name: value for name, value in known.items() if name.startswith(prefix)}
        for prefix in (SOLO_PREFIX, EXPLOIT_PREFIX)
    )
    if name == "solo":
        levels = {level: EndeavorConfig("solo", options={"difficulty": level}) for level in DIFFICULTY_NAMES}
        return Subject({**levels}, of_solo, False, 0.02, 40.0)
    variant = "exploits" if name == "exploits" else "standard"
    weights = (
        of_exploits if name == "exploits" else {key: known[key] for key in known if key not in of_solo | of_exploits}
    )
    sizes = {f"{players} seats": EndeavorConfig(variant, players) for players in (3, 4, 5)}
    return Subject({**sizes}, weights)


def agent(weights: Mapping[str, float]) -> str:
    """Return the name of the greedy player with these weights."""
    return "greedy:" + ",".join(f"{name}={float(value)!r}" for name, value in weights.items())


def play(config: GameConfig, seat: int, own: str, others: str, seeds: list[int]) -> tuple[Array, Array]:
    """Return shares of the win and leads of one seat, (games,) each."""
    names = [own if place == seat else others for place in range(config.players)]
    scores = rollout(Positions.of([config.new_game(seed) for seed in seeds]), names, seeds).scores[:, 0].astype(float)
    leads = scores[:, seat] - np.delete(scores, seat, axis=1).max(axis=1)
    return (win_shares(scores)[:, seat] if config.players > 1 else (leads >= 0).astype(float)), leads


def trial(what: Subject, names: list[str], field: list[str], games: int, rng: np.random.Generator) -> Array:
    """Return the mean worth of each candidate, (C,), in games that are the same for all."""
    totals = np.zeros(len(names))
    for config in what.tables.values():
        seeds: list[int] = rng.integers(SEED_END, size=max(config.players, games // len(what.tables))).tolist()
        for seat in range(config.players):
            drawn = rng.random()
            others = field[0 if drawn < 0.625 else rng.integers(len(field))]
            others = "automa" if what.automa and drawn < 0.25 else others
            for row, own in enumerate(names):
                wins, leads = play(config, seat, own, others, seeds[seat :: config.players])
                totals[row] += (wins + what.lead * leads.clip(-what.most, what.most)).sum()
    return totals / games


def main() -> None:
    """Search, print what was found, and compare it with the start."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("weights", choices=("table", "solo", "exploits", "merchants"))
    parser.add_argument("--start", default="", help="weights to start from, as in greedy:disc=0.5,...")
    parser.add_argument("--generations", type=int, default=80)
    parser.add_argument("--population", type=int, default=16)
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--check-games", type=int, default=1200)
    parser.add_argument("--sigma", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    what = subject(given.weights)
    changes = (part.partition("=") for part in given.start.split(",") if part)
    first = what.weights | {name: float(value) for name, _, value in changes}
    start = np.array([*first.values()])
    units = SHARE * np.abs(start) + LEAST
    strategy = CMA(np.zeros(start.size), given.sigma, seed=given.seed, population_size=given.population)
    field = [agent(first)]
    for generation in range(given.generations):
        asked = [strategy.ask() for _ in range(given.population)]
        names = [agent(dict(zip(first, start + one * units, strict=True))) for one in asked]
        rng = np.random.default_rng([given.seed, generation])
        worth = trial(what, names, [field[0], *field[1:][-FIELD:]], given.games, rng)
        strategy.tell([(one, -float(value)) for one, value in zip(asked, worth, strict=True)])
        field.append(agent(dict(zip(first, start + strategy.mean * units, strict=True))))
        print(f"generation {generation + 1}: {worth.mean():+.3f}", flush=True)
    means = zip(first, start + strategy.mean * units, strict=True)
    found = agent({name: float(f"{value:.3g}") for name, value in means})
    print(found)
    seeds: list[int] = np.random.default_rng(CHECK_SEED).integers(SEED_END, size=given.check_games).tolist()
    for table, config in what.tables.items():
        for title, own, others in (("found", found, field[0]), ("first", field[0], found)):
            seats = range(config.players)
            wins = np.concatenate([play(config, seat, own, others, seeds[seat :: config.players])[0] for seat in seats])
            low, high = wilson_interval(float(wins.mean()), wins.size)
            print(f"{table}: {title} {wins.mean():.1%} ({low:.1%} to {high:.1%})")


if __name__ == "__main__":
    main()
