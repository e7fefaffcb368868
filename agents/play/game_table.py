"""Any game on the engine on the page: what it says of itself, and who may see it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from endeavor_env.agents.base import ActionValueAgent, AgentOf
from endeavor_env.agents.local_page import RefusedError
from endeavor_env.agents.play.advice import MOST_HINTS, Evaluation, Hint
from endeavor_env.agents.play.game_shown import shown_game
from endeavor_env.agents.play.seats import played_by
from endeavor_env.agents.play.snapshot import SessionSnapshot
from endeavor_env.agents.play.table import NewGame
from endeavor_env.agents.players.player_agent import make_player_agent
from endeavor_env.basics.inputs import is_list_of_texts, plain_text
from endeavor_env.engine.declaration import GameDeclaration
from endeavor_env.engine.game import Game
from endeavor_env.engine.kernels.rules import MAX_SEATS, NONE
from endeavor_env.engine.players_info import HUMAN, Player, PlayersInfo
from endeavor_env.errors import InvalidOptionError
from endeavor_env.web import replay_page

_FIELDS = ("game", "seats", "variant", "seed", "board", "options")


class GameTable:
    """A game on the engine, as ``table.Table`` asks for it."""

    def __init__(self, offer: GameDeclaration) -> None:
        """Take what the game declares of itself."""
        self.offer = offer
        self.name: str | None = offer.name
        self.unit, self.hint_by = offer.presenter.score, offer.hinting[0]

    # --- lobby -------------------------------------------------------------------------------------------------------
    def variants(self) -> list[dict[str, Any]]:
        """Return the variants, each with its options and the agents that play it."""
        return [
            {
                "game": self.offer.name,
                "name": variant.name,
                "title": variant.title,
                "about": variant.about,
                "least": variant.least,
                "most": variant.most,
                "rival": self.offer.rival,
                "hinting": list(self.offer.hinting),
                "agents": [{"name": HUMAN, "about": f"a person at this page; {HUMAN}:Ada gives a name"}]
                + [{"name": name, "about": about} for name, about in self.offer.agents],
                "options": [
                    {
                        **option._asdict(),
                        "values": [{"value": value, "title": title} for value, title in option.values],
                    }
                    for option in variant.options
                ],
            }
            for variant in self.offer.variants
        ]

    def read_new_game(self, body: Mapping[str, Any]) -> NewGame:
        """Return the new game that a page asks for; board files are for the command line."""
        unknown = sorted(set(body) - set(_FIELDS))
        if unknown:
            given = ascii(unknown[0])[:60]
            raise RefusedError(400, f"a new game has no field {given}: give some of {', '.join(_FIELDS)}")
        seats, board, options = body.get("seats"), body.get("board"), body.get("options", {})
        variant = body.get("variant", self.offer.variants[0].name)
        if not is_list_of_texts(seats) or not 1 <= len(seats) <= MAX_SEATS:
            each = f'each "{HUMAN}", "{HUMAN}:<name>" or an agent'
            raise RefusedError(400, f'"seats" must be a list of 1 to {MAX_SEATS} names, {each}')
        if not (board is None or _is_generated(board)):
            raise RefusedError(400, '"board" must be generated_<number>: board files are for --board')
        if plain_text(variant) is None or not isinstance(options, dict):
            raise RefusedError(400, '"variant" must be a text and "options" an object')
        return NewGame(seats, self.offer.configure(variant, len(seats), board, options), body.get("seed"))

    # --- who plays ---------------------------------------------------------------------------------------------------
    def agent(self, game: Game, name: str) -> AgentOf[Game]:
        """Return an agent of the game."""
        return make_player_agent(game.rules, name)

    def played(self, game: Game, seats: Sequence[str], agents: Mapping[int, Any]) -> PlayersInfo:
        """Return who plays."""

        def named(seat: str, variant: str, called: str | None) -> Player:
            return Player.of_agent(seat, None, called)

        return played_by(game, seats, agents, self.offer.environment_in_records(game.variant), named)

    def undo_to(self, game: Game, people: frozenset[int]) -> int | None:
        """Return how many moves are left without the last one of the person who is to move.

        A move after which chance or another seat did something stands: what was shown cannot be forgotten.
        """
        moves = len(game.history)
        stands = not moves or game.seat not in people or game.history[-1][0] != game.seat
        return None if stands else moves - 1

    # --- the page ----------------------------------------------------------------------------------------------------
    def observer(self, snapshot: SessionSnapshot, wanted: int | None) -> int | None:
        """Return as whom the page sees a game.

        That is the only person; of several the one that the page names, but never while another of them is asked.
        """
        if snapshot.game.over or not snapshot.game.has_secrets:
            return None
        if len(snapshot.people) == 1:
            return next(iter(snapshot.people))
        may_look = wanted in snapshot.people and (not snapshot.asked or wanted == snapshot.game.seat)
        return wanted if may_look else NONE

    def shown(self, snapshot: SessionSnapshot, theme: str, observer: int | None) -> dict[str, Any]:
        """Return everything that the page shows."""
        shown = shown_game(snapshot, self.offer.presenter, theme, observer)
        shown["can_undo"] = not shown["curtain"] and self.undo_to(snapshot.game, snapshot.people) is not None
        shown["hinting"], shown["how"] = list(self.offer.hinting), self.offer.name
        return shown

    def hints(self, game: Game, agent: AgentOf[Game]) -> list[Hint]:
        """Return the moves that an agent likes best for the seat to move, which it knows no more than the seat does."""
        agent.reset(0)
        seen = game.seen_by(game.seat)
        if isinstance(agent, ActionValueAgent):
            found = [(one.action, one.share) for one in agent.expect(seen)][:MOST_HINTS]  # type: ignore[arg-type]
        else:
            found = [(agent.act(seen), None)]
        return [Hint(game.describe(action), None, agent.name, share) for action, share in found]

    def standing(self, game: Game) -> Evaluation:
        """Raise InvalidOptionError: nobody knows."""
        raise InvalidOptionError("nobody says who is ahead in this game")

    def record(self, game: Game, observer: int | None) -> dict[str, Any]:
        """Return the record as an observer may read it."""
        record = game.record_seen_by(observer)
        if record is None:
            raise InvalidOptionError("the record shows what is hidden: it can be read when the game is over")
        return record

    def replay_page(self, game: Game, theme: str, observer: int | None) -> str:
        """Return the page on which the game is watched again, as an observer sees it."""
        return replay_page(game, theme=theme, seat=observer)

    def how_to_play(self) -> str:
        """Return the page that tells the game."""
        page = self.offer.how_to_play()
        if page is None:
            raise InvalidOptionError(f"nobody has told how to play {self.offer.presenter.title}")
        return page


def _is_generated(board: object) -> bool:
    """Return whether a page may ask for a board: it names no file."""
    kind, _, number = board.partition("_") if isinstance(board, str) else ("", "", "")
    return kind == "generated" and number.isascii() and number.isdecimal() and len(number) < 19
