"""``endeavor corpus --out DIR``: make the published games, 100,000 of strong and mixed agents at all tables.

Each part is a dataset that ``endeavor_env.training.dataset.read`` reads. Ctrl-C keeps the shards that are done, and the
same command goes on.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from endeavor_env.agents.command_line import command_line, start
from endeavor_env.agents.results_file import JsonFile, write_results
from endeavor_env.agents.terminal import print_line
from endeavor_env.basics.exit_status import INTERRUPTED
from endeavor_env.basics.inputs import one_of
from endeavor_env.training.dataset.corpus import GAMES, PARTS, make_corpus
from endeavor_env.training.dataset.corpus_files import FORMS, write_form
from endeavor_env.training.dataset.reading import read, read_in_python
from endeavor_env.training.dataset.to_minari import check_minari, write_minari


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
