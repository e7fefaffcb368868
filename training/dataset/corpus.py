"""The corpus: 100,000 games of strong and mixed agents at all tables, made by one command."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np
import typer

import endeavor_env
from endeavor_env import Game
from endeavor_env.agents.command_line import command_line, start
from endeavor_env.agents.results_file import JsonFile, write_results
from endeavor_env.agents.terminal import called, print_line
from endeavor_env.basics.exit_status import INTERRUPTED
from endeavor_env.basics.files import read_json_object, write_json, write_text
from endeavor_env.basics.inputs import derived_seed, one_of, positive_number
from endeavor_env.bench.version import version_one
from endeavor_env.endeavor.game import GameConfig
from endeavor_env.endeavor.rewards import reward_function
from endeavor_env.endeavor.rules.constants import DIFFICULTY_NAMES
from endeavor_env.endeavor.setups import SOLO, STANDARD
from endeavor_env.engine.rewards import final_rewards
from endeavor_env.errors import DatasetError, InvalidOptionError, named
from endeavor_env.training.dataset.making import Settings, make_dataset
from endeavor_env.training.dataset.reading import Dataset, Shard, read, read_in_python
from endeavor_env.training.dataset.to_minari import check_minari, write_minari

# --- The corpus: 100,000 games of strong and mixed agents at all tables, made again by one command and seed ----------
# It is a folder of datasets, its parts, with ``corpus.json``. The hash of a part is that of its games, not of its
# files: another version of zlib compresses the same games into other bytes.

CARD, FORMAT, VERSION = "corpus.json", "endeavor-corpus/1", 1
GAMES, SHARD_GAMES = 100_000, 100
SPLITS = {"validation": 18, "test": 19}
"""Every twentieth shard is for validation, the one after it for tests; the others are to train on."""
_CYCLE = 20
HASHED = ("game_seeds", "game_kinds", "game_setups", "game_agents", "game_difficulties", "game_scores", "actions")
"""The arrays of a shard that say what was played; all others follow from them."""


class CorpusPart(NamedTuple):
    """A part of the corpus: one variant or a few, and the agents that play them."""

    share: float
    """Share of all games."""
    tables: tuple[tuple[str, ...], ...]
    """As ``Settings.agents``."""
    variants: tuple[str, ...] = ("standard",)


VALUE, POLICY = "value:@value_standard", "policy:@policy_standard"
"""The networks of the base game that play, by the names that they have for ever."""
EXPLOITS, VARIANTS = "value:@value_exploits", "value:@value_variants"
SOLO_VALUE, SOLO_POLICY = "value:@value_solo", "policy:@policy_solo"
"""Those of other variants."""


def _strong(players: int, share: float) -> CorpusPart:
    """Return the games of a strong network."""
    return CorpusPart(share, ((VALUE,) * players,))


def _search(players: int, share: float) -> CorpusPart:
    """Return the games of a search among such networks."""
    return CorpusPart(share, (("search:sims=8,network=@value_standard", *(VALUE,) * (players - 1)),))


PARTS = {
    "table-3-strong": _strong(3, 0.10),
    "table-3-search": _search(3, 0.02),
    "table-3-mixed": CorpusPart(0.09, ((VALUE, "greedy", "random"), (POLICY, "greedy", "greedy"))),
    "table-4-strong": _strong(4, 0.12),
    "table-4-search": _search(4, 0.02),
    "table-4-mixed": CorpusPart(0.10, ((VALUE, POLICY, "greedy", "random"), (POLICY, POLICY, "greedy", "greedy"))),
    "table-5-strong": _strong(5, 0.07),
    "table-5-search": _search(5, 0.01),
    "table-5-mixed": CorpusPart(
        0.06, ((VALUE, POLICY, "greedy", "greedy", "random"), (POLICY, POLICY, "greedy", "greedy", "random"))
    ),
    "exploits-4-strong": CorpusPart(0.05, ((EXPLOITS,) * 4,), ("exploits",)),
    "exploits-4-mixed": CorpusPart(0.05, ((EXPLOITS, "greedy", "greedy", "random"),), ("exploits",)),
    "two-strong": CorpusPart(0.05, ((VARIANTS, VARIANTS),), ("soloplay_2", "neutral_2")),
    "two-mixed": CorpusPart(0.05, ((VARIANTS, "greedy"), ("automa", "random")), ("soloplay_2", "neutral_2")),
    "soloplay-3-strong": CorpusPart(0.02, ((VARIANTS,) * 3,), ("soloplay_3",)),
    "soloplay-3-mixed": CorpusPart(0.02, ((VARIANTS, "greedy", "random"),), ("soloplay_3",)),
    "solo-strong": CorpusPart(0.08, ((SOLO_VALUE,),), ("solo",)),
    "solo-mixed": CorpusPart(0.09, ((SOLO_POLICY,), ("greedy",), ("automa",), ("random",)), ("solo",)),
}
"""The parts of version 1, which stay as they are; their shares add up to 1."""


def settings_of(name: str, games: int, seed: int, observation: str) -> Settings:
    """Return the settings of a part of a corpus of so many games."""
    part = PARTS[name]
    return Settings(
        part.tables,
        part.variants,
        games=max(1, round(part.share * games)),
        shard_games=SHARD_GAMES,
        seed=derived_seed(seed, list(PARTS).index(name)),
        observation=observation,
        reward="margin",
    )


def hash_of(dataset: Dataset) -> str:
    """Return a SHA-256 in hex of all games of a dataset: kinds, set-ups, agents, actions and scores."""
    digest = hashlib.sha256()
    for kind in dataset.kinds:
        digest.update(f"{sorted(kind.items())}\n".encode())
    for shard in dataset:
        for array in HASHED:
            values = np.ascontiguousarray(getattr(shard, array))
            digest.update(
                f"{array} {values.shape}\n".encode() + values.astype(values.dtype.newbyteorder("<")).tobytes()
            )
    return digest.hexdigest()


def splits_of(dataset: Dataset) -> dict[str, list[int]]:
    """Return the numbers of the shards to train on, for validation and for tests; no set-up is in two of them."""
    split: dict[str, list[int]] = {"training": [], "validation": [], "test": []}
    names = {place: name for name, place in SPLITS.items()}
    for number in dataset.shards:
        split[names.get(number % _CYCLE, "training")].append(number)
    return split


def make_corpus(
    out: Path, games: int, seed: int, observation: str, parts: Sequence[str], say: Callable[[str], object]
) -> dict[str, Any]:
    """Make the parts of a corpus, or go on with them, and return its card; Ctrl-C ends it early.

    Args:
        out: The folder.
        games: Games of all parts of ``PARTS`` together, were they all made; each has its share, in whole set-ups.
        seed: Draws the set-ups and seeds the agents.
        observation: "compact" or "features".
        parts: Which parts are made.
        say: Is told of each part that is done, in a sentence.

    Raises:
        InvalidOptionError: An unknown part, an impossible number, or a folder that holds another corpus.
        DatasetError: A dataset in the folder cannot be read.
    """
    positive_number("games", games)
    if unknown := [name for name in parts if name not in PARTS]:
        raise InvalidOptionError(f"part {unknown[0]!r} is unknown: possible are {', '.join(PARTS)}")
    card = _begun(out, games, seed, observation)
    for name in parts:
        settings = settings_of(name, games, seed, observation)
        made = make_dataset(settings, out / name)
        if not made["complete"]:
            return card
        dataset = read(out / name)
        card["parts"][name] = {
            **{field: made[field] for field in ("games", "decisions", "bytes", "agents")},
            "variants": list(settings.variants),
            "splits": splits_of(dataset),
            "hash": hash_of(dataset),
        }
        card["parts"] = {part: card["parts"][part] for part in PARTS if part in card["parts"]}
        _finish(out, card)
        found = card["parts"][name]["hash"]
        say(f"{name}: {made['games']:,} games, {made['decisions']:,} decisions, {found[:16]}")
        if (games, seed) == (GAMES, 0) and version_one().corpus[name] != found:
            say(f"{name} has other games than the published ones: rules, agents or versions differ")
    return card


def _begun(out: Path, games: int, seed: int, observation: str) -> dict[str, Any]:
    """Return the card in a folder, or a new one; raise InvalidOptionError if it is that of another corpus."""
    about = {
        "format": FORMAT,
        "version": VERSION,
        "package_version": endeavor_env.__version__,
        "command": called("endeavor_env.training.dataset.corpus", "--games", str(games), "--seed", str(seed)),
        "asked": games,
        "seed": seed,
        "observation": observation,
    }
    if not (out / CARD).exists():
        return {**about, "games": 0, "decisions": 0, "complete": False, "hash": "", "parts": {}}
    card = read_json_object(out / CARD, "corpus", DatasetError)
    if changed := [name for name, value in about.items() if card.get(name) != value]:
        raise InvalidOptionError(
            f"{named(str(out))} holds another corpus, with another {changed[0]}: give another folder"
        )
    if not isinstance(card.get("parts"), dict):
        raise DatasetError(f"{named(str(out / CARD))} was edited: it has no usable parts")
    return card


def _finish(out: Path, card: dict[str, Any]) -> None:
    """Write the card of a corpus as its parts are now."""
    parts = card["parts"]
    card["games"], card["decisions"] = (sum(one[name] for one in parts.values()) for name in ("games", "decisions"))
    card["complete"] = list(parts) == list(PARTS)
    text = "".join(f"{name} {one['hash']}\n" for name, one in parts.items())
    card["hash"] = hashlib.sha256(text.encode()).hexdigest() if card["complete"] else ""
    write_json(out / CARD, card)


def games_of(shard: Shard) -> Iterator[tuple[int, list[int]]]:
    """Yield the row and the actions of every game of a shard."""
    ends = np.flatnonzero(np.diff(shard.games, append=-1)) + 1
    for row, (low, high) in enumerate(zip([0, *ends[:-1]], ends, strict=True)):
        yield row, shard.actions[low:high].tolist()


# --- The games of a dataset in other forms, a line of JSON for each --------------------------------------------------
# Records, and trajectories as OpenSpiel plays them.


def replayed(dataset: Dataset, shard: Shard) -> list[tuple[Game, list[str]]]:
    """Return the games of a shard, each at its end, with the agent of each seat."""
    played = []
    for row, actions in games_of(shard):
        kind = dataset.kinds[shard.game_kinds[row]]
        options = dict(kind["options"])
        if kind["variant"] == SOLO:
            options["difficulty"] = DIFFICULTY_NAMES[shard.game_difficulties[row]]
        exploits = "random" if kind["variant"] == "exploits" else None
        config = GameConfig(kind["variant"], int(shard.game_seats[row]), kind["board"], options, exploits)
        game = config.new_game(int(shard.game_seeds[row]))
        for action in actions:
            game.apply(action)
        played.append((game, [dataset.agents[agent] for agent in shard.game_agents[row] if agent >= 0]))
    return played


def record(game: Game, agents: list[str]) -> dict[str, Any]:
    """Return the record of a game, with its agents."""
    return {**game.record(), "agents": agents}


def trajectory(game: Game, agents: list[str]) -> dict[str, Any]:
    """Return a game as OpenSpiel plays it: ``load_game(name, parameters)``, then the actions one after the other.

    The returns are those of the reward of the parameters.
    """
    reward = "margin" if game.variant == SOLO else "win"
    paid = final_rewards(reward_function(reward, game.num_players, game.variant), game.scores(), game.num_players)
    parameters: dict[str, Any] = {**game.options, "setup": json.dumps(game.setup()), "reward": reward}
    if game.variant in (STANDARD, "exploits"):
        parameters["players"] = game.num_players
    if game.exploits:
        parameters["exploits"] = "+".join(game.exploits)
    return {
        "game": "endeavor" if game.variant == STANDARD else f"endeavor_{game.variant}",
        "parameters": parameters,
        "agents": agents,
        "players": [seat for seat, _ in game.history],
        "actions": [action for _, action in game.history],
        "returns": [float(one) for one in paid],
    }


FORMS: dict[str, Callable[[Game, list[str]], dict[str, Any]]] = {"records": record, "trajectories": trajectory}
"""Makers of a line, by the name of its folder."""


def write_form(dataset: Dataset, form: str) -> Path:
    """Write every game of a dataset in a form of FORMS, a file for each shard; return the folder, inside the dataset's.

    Files that are there already stay: they are written in one step.
    """
    folder = dataset.path / form
    folder.mkdir(exist_ok=True)
    for number in dataset.shards:
        file = folder / f"shard_{number:05}.jsonl"
        if not file.exists():
            lines = [json.dumps(FORMS[form](*one)) for one in replayed(dataset, dataset.load(number))]
            write_text(file, "\n".join([*lines, ""]))
    return folder


# --- ``endeavor corpus --out DIR``: make the published games, 100,000 of strong and mixed agents at all tables -------
# Each part is a dataset that ``endeavor_env.training.dataset.read`` reads. Ctrl-C keeps the shards that are done, and
# the same command goes on.


def minari_id(prefix: str, part: str) -> str:
    """Return the id of the Minari dataset of a part."""
    return f"{prefix}/{part}-v1"


def main(
    out: Annotated[Path, typer.Option(help="Folder of the corpus; the same command goes on in it.")],
    games: Annotated[int, typer.Option(help="Games of all parts together; whole set-ups are played.")] = GAMES,
    seed: Annotated[int, typer.Option(help="Draws the set-ups and seeds the agents.", min=0)] = 0,
    part: Annotated[list[str] | None, typer.Option(help=f"Only this part; repeatable: {', '.join(PARTS)}.")] = None,
    form: Annotated[
        list[str] | None, typer.Option("--as", help="Also write the games as records or trajectories; repeatable.")
    ] = None,
    minari: Annotated[
        str | None, typer.Option(help="Also write each part as the Minari dataset <this>/<part>-v1.")
    ] = None,
    observation: Annotated[str, typer.Option(help="compact, or features in five times the space.")] = "compact",
    json_file: JsonFile = None,
    force: Annotated[bool, typer.Option("--force", help="Replace Minari datasets and the file of --json.")] = False,
) -> None:
    """Make the corpus, with splits, a card and a hash over its games."""
    with command_line(json_file, force):
        wanted = part or list(PARTS)
        for one in form or ():
            one_of("--as", one, tuple(FORMS))
        for name in wanted if minari else ():
            check_minari(minari_id(str(minari), name), None, (), force)
        card = make_corpus(out, games, seed, observation, wanted, print_line)
        write_results(json_file, card, indent=None)
        if any(name not in card["parts"] for name in wanted):
            print(f"stopped; go on with: {card['command']} --out {out}", file=sys.stderr)
            raise typer.Exit(INTERRUPTED)
        for name in wanted:
            for one in form or ():
                print_line(f"{name}: {one} in {write_form(read(out / name), one)}")
            if minari:
                write_minari(read(out / name), minari_id(minari, name), force=force)
                print_line(f"{name}: Minari dataset {minari_id(minari, name)}")
        whole = f", hash {card['hash']}" if card["complete"] else f", {len(card['parts'])} of {len(PARTS)} parts"
        print_line(f"{out}: {card['games']:,} games, {card['decisions']:,} decisions{whole}")
        print_line(read_in_python(out / wanted[0]))


if __name__ == "__main__":
    start(lambda: typer.run(main))
