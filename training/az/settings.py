"""The settings of a run of ``endeavor_env.training.az``, and the presets."""

from __future__ import annotations

from typing import Annotated, Any, Self

from pydantic import Field, model_validator

from endeavor_env.endeavor.game import GameConfig
from endeavor_env.endeavor.learning.searched_games import MOST_OPTIONS
from endeavor_env.endeavor.players.search.player import SearchSettings
from endeavor_env.endeavor.players.search.settings import PLAYOUTS
from endeavor_env.engine.kernels.network import MAX_FIRST, MAX_SECOND
from endeavor_env.errors import InvalidOptionError, shown
from endeavor_env.training.runs.settings import (
    BufferSize,
    Count,
    Device,
    Games,
    JsonSettings,
    Passes,
    PositiveShare,
    Rows,
    Seed,
    Share,
    Threads,
    check_sizes,
    one_of,
)
from endeavor_env.training.td.settings import GAMES, GREEDY

PUBLISHED, SCRATCH = "published", "scratch"
Simulations = Annotated[int, Field(ge=1, le=10_000)]
Factor = Annotated[float, Field(gt=0, le=100)]


class AZSettings(JsonSettings):
    """The settings that determine a run."""

    preset: str
    game: Annotated[str, one_of(GAMES)] = "standard"
    """A name of ``endeavor_env.training.td.settings.GAMES``."""
    players: tuple[int, ...] = ()
    """The table sizes to play; empty for all of the game."""
    board: str = ""
    """The board of all games: an id such as "generated_7", or the path of a board file; empty for the board of 2009."""
    seed: Seed = 0
    iterations: Count = 100
    """Number of iterations: play games, then learn from them."""
    games: Games = 64
    """Games per iteration."""
    begin_with: str = PUBLISHED
    """The word published, for the networks of the package; scratch, for fresh ones; the folder of an earlier run; or
    the name of a compiled player, such as "greedy" or "value", of whose games fresh networks learn first."""
    warm_up_games: Games = 400
    """Games from which, before the first iteration, the networks learn what they do not bring along."""
    warm_up_epochs: Passes = 2.0
    """Epochs over the positions of these games."""
    simulations: Simulations = 16
    """Simulations of a full search, from which the policy learns."""
    few: Simulations = 4
    """Of the other searches, which only choose a move and value positions."""
    full_share: Share = 0.25
    """Share of the searches that are full ones."""
    considered: Annotated[int, Field(ge=2, le=MOST_OPTIONS)] = 8
    """Turns with which the halving at the root begins."""
    width: Annotated[int, Field(ge=2, le=MOST_OPTIONS)] = 12
    """Most turns of a position that are looked at."""
    policy_weight: Share = 0.5
    """Share of the policy network in the priors; the rest is a softmax of the values of the turns."""
    value_scale: Factor = 0.5
    """Weight of the values beside the logarithms of the priors, in the choice and in the improved probabilities."""
    playout: Annotated[str, one_of(PLAYOUTS)] = "round"
    """Evaluation of a leaf, see docs/search.md."""
    spite: Annotated[float, Field(ge=0, le=100)] = 0.0
    """Weight with which the root seat's value is subtracted from those of the other seats; 0 for max^n."""
    reuse: bool = True
    """True if a search starts from the tree of the previous one, whoever made the move between them."""
    all_searched: bool = True
    """True to learn values of all turns that a search examined, False for only those that were played."""
    mixture: Share = 0.5
    """Share of what the next search found in the target of a turn that was played; the rest is the outcome."""
    student_share: Share = 0.25
    """Share of the seats in which the policy plays without a search, which is asked all the same: what is learned there
    is what the search would have done in positions that only the policy gets into."""
    first_width: Annotated[int, Field(ge=1, le=MAX_FIRST)] = 128
    """Width of the first hidden layer of the values."""
    second_width: Annotated[int, Field(ge=1, le=MAX_SECOND)] = 64
    """Width of the second one."""
    trunk: tuple[Annotated[int, Field(ge=1, le=MAX_FIRST)]] = (256,)
    """Width of the first hidden layer of the policy."""
    head: tuple[Annotated[int, Field(ge=1, le=MAX_SECOND)]] = (128,)
    """Width of the second one."""
    replay_ratio: Passes = 1.5
    """Decisions, and ends of turns, learned from for each new one."""
    batch_size: Rows = 512
    """Decisions, and ends of turns, of a gradient step."""
    buffer_size: BufferSize = 200_000
    """Decisions, and ends of turns, that are kept to learn from."""
    learning_rate: PositiveShare = 1e-4
    """Learning rate of Adam at the beginning."""
    last_learning_rate: PositiveShare = 1e-5
    """Learning rate at the end; it falls by equal factors."""
    average: Annotated[float, Field(ge=0, lt=1)] = 0.999
    """Decay of the exponential moving average of the weights per gradient step; the average plays, and is the result of
    a run. 0 for the weights themselves."""
    rival: str = GREEDY
    """Compiled player of the other seats in evaluations; the solitaire game has none."""
    checkpoint_every: Count = 10
    """Iterations between checkpoints; a run that is killed loses no more than these."""
    evaluate_every: Count = 20
    """Iterations between evaluations."""
    evaluation_games: Count = 120
    """Games of each of these evaluations, for each table and each way to play."""
    final_games: Count = 400
    """Games of the evaluation at the end, likewise."""
    workers: Threads = 0
    """Processes that play; 0 for one on each core."""
    device: Device = "auto"
    """Device for training: "cpu", "cuda", or "auto" for a GPU if there is one."""

    @model_validator(mode="after")
    def _check_tables(self) -> Self:
        """Check that there is something to play."""
        check_sizes(self.players, (table.players for table in GAMES[self.game]))
        return self

    @property
    def tables(self) -> tuple[GameConfig, ...]:
        """The kinds of game."""
        return tuple(table for table in GAMES[self.game] if not self.players or table.players in self.players)

    @property
    def variants(self) -> tuple[str, ...]:
        """The variants that the networks play, each once."""
        return tuple(dict.fromkeys(table.variant for table in self.tables))

    @property
    def variant(self) -> str:
        """The variant whose layouts the networks have."""
        return self.variants[0]

    def search(self) -> SearchSettings:
        """Return how the searches of the games search."""
        return SearchSettings(
            simulations=self.simulations,
            few=self.few,
            full_share=self.full_share,
            considered=self.considered,
            width=self.width,
            policy_weight=self.policy_weight,
            value_scale=self.value_scale,
            playout=PLAYOUTS[self.playout],
            spite=self.spite,
            keeps=self.reuse,
            noise=1.0,
        )


_SMOKE: dict[str, Any] = {
    "iterations": 2,
    "games": 2,
    "warm_up_games": 2,
    "simulations": 4,
    "few": 2,
    "first_width": 8,
    "second_width": 4,
    "trunk": (8,),
    "head": (4,),
    "batch_size": 32,
    "evaluate_every": 1,
    "evaluation_games": 2,
    "final_games": 2,
}
PRESETS = {
    "smoke": AZSettings(preset="smoke", **_SMOKE),
    "quick": AZSettings(preset="quick", iterations=60),
    "long": AZSettings(preset="long", iterations=1500, games=128, evaluate_every=100, final_games=1200),
}


def preset(name: str, game: str) -> AZSettings:
    """Return the settings of a preset for a game; raise InvalidOptionError for unknown names."""
    if name not in PRESETS:
        raise InvalidOptionError(f"preset {shown(name)} is unknown: possible are {', '.join(PRESETS)}")
    if game not in GAMES:
        raise InvalidOptionError(f"game {shown(game)} is unknown: possible are {', '.join(GAMES)}")
    return PRESETS[name].replace(game=game)
