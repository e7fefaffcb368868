"""A table at which one seat answers in words and agents play the others: what a server keeps for somebody far away.

What somebody far away says is taken by name only: no board and no agent here is read from a file of this machine.
"""

from __future__ import annotations

from endeavor_env.basics.inputs import derived_seed, fresh_seed, listed, seat_number
from endeavor_env.basics.thread_guard import guarded
from endeavor_env.endeavor.board import DEFAULT_BOARD_ID
from endeavor_env.endeavor.game import Game, GameConfig
from endeavor_env.endeavor.players import agent_named
from endeavor_env.endeavor.text.position import events
from endeavor_env.endeavor.text.structures import Event
from endeavor_env.endeavor.text.table import Reply, TextOptions, TextTable
from endeavor_env.engine.game import game_for
from endeavor_env.engine.seating import names_around
from endeavor_env.errors import InvalidOptionError, shown

USUAL = "greedy"
"""Default agent of the other seats."""
MOST_BYTES = 1 << 30
"""Memory that the agents of all tables of a server may take; a table of three ``value`` takes 27 MB."""
_GENERATED = "generated_"


class AgentTable(TextTable):
    """A table whose agents move as soon as it is their turn.

    Attributes:
        seat: The seat that answers.
        names: Who plays each other seat.
    """

    def __init__(
        self, game: Game, seat: int = 0, opponents: object = USUAL, options: TextOptions | None = None
    ) -> None:
        """Let agents play up to the first decision of ``seat``.

        Args:
            game: The game. The agents' random choices follow from its seed, those of each seat from another one; a game
                that has no seed gives them fresh ones.
            seat: The seat that answers.
            opponents: The name of the agent of the other seats, or a list with one for each in playing order.
            options: What the seat is told.

        Raises:
            InvalidOptionError: No such seat, no such agent, one that does not play this variant, another number of
                agents, or agents that take more than MOST_BYTES.
        """
        super().__init__(game, options)
        self.seat = seat_number("seat", seat, game.num_players)
        self.names = _names_around(self.seat, opponents, game.num_players)
        self._agents = {other: agent_named(name, files=False) for other, name in self.names.items()}
        for other in {name: other for other, name in self.names.items()}.values():
            agent = self._agents[other]
            agent.reset(0)
            agent.act(game_for(agent, game))  # an agent that does not play this variant says so now
        if self.nbytes > MOST_BYTES:
            raise InvalidOptionError(
                f"these agents take {self.nbytes / 1e6:,.0f} MB of memory, and at most {MOST_BYTES / 1e6:,.0f} are "
                "possible here: name others, or a search of fewer simulations"
            )
        seed = fresh_seed() if game.seed is None else game.seed
        for other, agent in self._agents.items():
            agent.reset(derived_seed(seed, other))
        self._seen = len(game.history)
        self._let_agents_play()

    @property
    def nbytes(self) -> int:
        """Bytes of memory that the agents take when all of them have moved."""
        taken: dict[str, int] = {}
        for other, name in self.names.items():
            taken[name] = max(taken.get(name, 0), getattr(self._agents[other], "nbytes", 0))
        return sum(taken[name] for name in self.names.values())

    @guarded
    def answer(self, text: object) -> Reply:
        """Make the move that an answer says, and those of the agents up to the seat's next decision.

        Raises:
            GameOverError: The game is over.
            AnswerError: The last retry failed, with ``illegal_action="raise"``; the game is unchanged.
            OverlappingCallsError: Another thread is inside, or agents of its answer are.
        """
        before = len(self.game.history)
        reply = super().answer(text)
        if reply.move is not None:
            self._seen = before
            self._let_agents_play()
        return reply

    def news(self) -> list[Event]:
        """Return the moves since the seat's last decision, its own first; before it all of the game."""
        return events(self.game, len(self.game.history) - self._seen)

    def _let_agents_play(self) -> None:
        while not self.over and self.game.seat != self.seat:
            agent = self._agents[self.game.seat]
            self.game.apply(int(agent.act(game_for(agent, self.game))))


def _names_around(seat: int, opponents: object, players: int) -> dict[int, str]:
    """Return the agent of each other seat of a table."""
    names = [opponents] if isinstance(opponents, str) else listed(opponents)
    if names is None or not all(isinstance(name, str) for name in names):
        raise InvalidOptionError(f"opponents={shown(opponents)} is not possible: give the name of an agent, or a list")
    if players > 1 and len(names) not in (1, players - 1):
        raise InvalidOptionError(
            f"{len(names)} opponents are not possible: with {players} players name 1 or {players - 1}"
        )
    return names_around(seat, names, players)


def config_by_name(text: object) -> GameConfig:
    """Return the game of a text such as "standard:players=3", on a board of the package or a generated one.

    Raises:
        InvalidOptionError: No such game, or another board.
    """
    parts = text.partition(":")[2].split(",") if isinstance(text, str) else []
    for part in parts:
        name, _, board = part.partition("=")
        number = board.removeprefix(_GENERATED)
        if name == "board" and board != DEFAULT_BOARD_ID and (number == board or not number.isdecimal()):
            raise InvalidOptionError(
                f"the board {shown(board)} is not possible here: give {DEFAULT_BOARD_ID} or generated_<seed>"
            )
    return GameConfig.parse(text)  # type: ignore[arg-type]


def ending(table: AgentTable) -> str:
    """Return how a game ended for the seat that answers, in one sentence or two."""
    game = table.game
    if table.forfeited is not None:
        return "The game is over: the last answer that was allowed named no legal move."
    scores = ", ".join(f"{_side(table, row)} {score}" for row, score in enumerate(game.scores()))
    winners = [_side(table, row) for row in game.winners()]
    won = f"Won by {' and '.join(winners)}." if game.num_players > 1 else f"The result: {game.ladder().name}."
    return f"The game is over. Glory: {scores}. {won}"


def _side(table: AgentTable, row: int) -> str:
    if row >= table.game.num_players:
        return "the Opposition"
    return f"seat {row} ({table.names[row]})" if row in table.names else f"seat {row}"
