"""A film holds the picture of every position, and a page can be given it part by part."""

from __future__ import annotations

import json
import random
import re
from html import escape
from pathlib import Path
from typing import Any

import pytest

from endeavor_env.agents.registry import make_agent
from endeavor_env.endeavor.drawing.scene.theme import DARK, LIGHT, THEMES
from endeavor_env.endeavor.drawing.view import view_game
from endeavor_env.endeavor.game import Game
from endeavor_env.endeavor.notes import Note, notes_field
from endeavor_env.engine.players_info import PlayersInfo
from endeavor_env.errors import InvalidOptionError, RecordError
from endeavor_env.merchants.game import MerchantsGame
from endeavor_env.web import Film, film_page, replay_page, title_of, write_replay_page
from endeavor_env.web.look import LEAST_CONTRAST, contrast
from tests.kits.games import GAMES, on_the_way, running


def pictures(parts: list[dict[str, Any]]) -> list[str]:
    """The pictures that a page makes of the parts of a film."""
    lines: list[str] = []
    found: list[list[int]] = []
    for part in parts:
        assert part["known"] == len(found)
        lines += part["lines"]
        for row in part["rows"]:
            picture = list(found[-1]) if found else []
            for place, removed, added in row["changes"]:
                picture[place : place + removed] = added
            found.append(picture)
    return ["\n".join(lines[number] for number in picture) for picture in found]


def in_colour(picture: str, theme: str = "light") -> str:
    """A picture of a page as the browser shows it in a theme."""
    return re.sub(r"var\(--(\w+)\)", lambda found: getattr(THEMES[theme], found[1]), picture)


def film_in(page: str) -> dict[str, Any]:
    """The film that stands in a page."""
    found = re.search(r'<script id="film" type="application/json">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    return json.loads(found[1])


@pytest.mark.parametrize("name", GAMES)
def test_a_film_has_the_picture_of_every_position(name: str) -> None:
    game = running(name, 9, 12)
    drawn = pictures([Film.of(game).part()])
    assert len(drawn) == 13
    for number, picture in enumerate(drawn):
        theme = list(THEMES)[number % 2]
        assert in_colour(picture, theme) == game.at_move(number).svg(theme=theme)


def test_parts_of_a_growing_film_make_the_whole() -> None:
    game = on_the_way(40, seed=3, players=4)
    film, parts, known = Film(game.at_move(0)), [], 0
    for number, (_, action) in enumerate(game.history):
        film.add(action)
        if number % 7 == 0:
            parts.append(json.loads(json.dumps(film.part(known))))
            known += len(parts[-1]["rows"])
    parts.append(film.part(known))
    assert film.part(len(film) + 1)["rows"] == [] == film.part(1_000)["rows"]
    assert pictures(parts) == pictures([Film.of(game).part()])
    assert [row["move"] for part in parts for row in part["rows"]] == [row["move"] for row in film.part()["rows"]]


def test_rows_say_who_moved_and_what_everybody_has() -> None:
    game = on_the_way(10_000, seed=5, players=4)
    part = Film.of(game).part()
    assert part["over"] is True
    assert part["rows"][0]["move"] is None
    assert [row["move"]["seat"] for row in part["rows"][1:]] == [seat for seat, _ in game.history]
    assert part["rows"][-1]["scores"] == game.scores()
    assert part["rows"][-1]["statuses"] == game.state["status"][0, : game.num_players].tolist()
    moves = [game.describe(action) for _, action in game.history]
    assert [row["move"]["text"] for row in part["rows"][1:]] == moves


def test_openings_and_attacks_are_events() -> None:
    game, greedy = Game.new(4, seed=5), make_agent("greedy")
    greedy.reset(0)
    while not game.over:
        game.apply(greedy.act(game))
    rows = Film.of(game).part()["rows"]
    opened = [event["words"] for row in rows for event in row["events"] if event["kind"] == "open"]
    regions = [region for region in view_game(game).regions if region.open and region.id != "europe"]
    assert set(opened) == {f"{game.board.names[region.id]} opens" for region in regions}
    assert len(opened) == len(set(opened)) > 0
    attacks = [row["move"]["text"] for row in rows if any(event["kind"] == "attack" for event in row["events"])]
    assert attacks == [text for text in (game.describe(a) for _, a in game.history) if text.startswith("attack:")]
    assert attacks


def test_a_page_of_five_seats_is_small_and_needs_no_network() -> None:
    game = on_the_way(10_000, seed=2, players=5)
    page = replay_page(game)
    assert len(page.encode()) < 2_000_000
    assert in_colour(pictures([film_in(page)])[-1]) == game.svg()
    outside = set(re.findall(r"https?://[^\"\\ ]*", page))
    assert outside == {"http://www.w3.org/2000/svg"}  # a name, which nobody asks for
    assert not re.search(r"<(link|img|iframe)\b|src=|@import|url\(", page)


@pytest.mark.parametrize("theme", ["auto", "light", "dark"])
def test_a_page_has_its_theme_and_title(theme: str) -> None:
    game = running("solo", 3, 20)
    page = replay_page(game, theme=theme, title="A <b> game")
    assert f'<html lang="en" data-theme="{theme}">' in page
    assert "<title>A &lt;b&gt; game</title>" in page
    film = film_in(page)
    assert (film["names"], film["sides"], film["letters"]) == (
        ["Player", "Opposition"],
        ["white", "opposition"],
        ["W", "O"],
    )
    assert film["lines"] == film_in(replay_page(game))["lines"]  # one film for all themes
    assert title_of(game) in replay_page(game, theme=theme)


def test_a_page_calls_everybody_by_name() -> None:
    game = on_the_way(10_000, seed=3, players=4)
    assert title_of(game) == f"Endeavor, 4 seats: {' to '.join(map(str, game.scores()))} Glory"
    assert title_of(game.at_move(20)) == f"Endeavor, 4 seats, round {game.at_move(20).round}, action phase"
    game.played = PlayersInfo.of(["Ada", "greedy", None, "<b>"])
    page = replay_page(game)
    film = film_in(page)
    assert film["names"] == ["Ada", "greedy", "Seat 2", "<b>"]
    assert "<b>" not in page
    attacks = [event["words"] for row in film["rows"] for event in row["events"] if event["kind"] == "attack"]
    assert attacks
    assert all(re.match(r"(Ada|greedy|Seat 2|<b>) attacks ", words) for words in attacks)
    ada, greedy, third, last = game.scores()
    assert title_of(game) == f"Endeavor, 4 seats: Ada ({ada}), greedy ({greedy}), Seat 2 ({third}), <b> ({last})"
    assert title_of(game.at_move(20)).endswith("round 2, action phase: Ada, greedy, Seat 2, <b>")
    assert "Ada · greedy · Seat 2 · &lt;b&gt; · 20" in page
    begun = Game.new(variant="soloplay_2", seed=1)
    assert title_of(begun) == "Endeavor, soloplay_2, set-up"


@pytest.mark.parametrize("text", ["</script><b>", "<!--<script>", "<SCRIPT>", "]]>", "\\u003c"])
def test_no_text_ends_or_begins_a_script(text: str) -> None:
    plain = film_page(Film(Game.new(3)).part() | {"notes_by": ""}, "light", "</title><b>")
    page = film_page(Film(Game.new(3)).part() | {"notes_by": text}, "light", "</title><b>")
    assert page.count("</script>") == 2
    assert page.count("<") == plain.count("<")
    assert film_in(page)["notes_by"] == text
    assert "</title><b>" not in page


@pytest.mark.parametrize("title", ["{film} and {script}", r"\1 \g<0>", "{title}"])
def test_a_title_is_shown_as_it_is(title: str) -> None:
    page = replay_page(Game.new(3, seed=1), title=title)
    assert page.count(escape(title)) == 2
    assert film_in(page)["over"] is False


def test_a_page_of_a_running_game_knows_where_the_rest_is() -> None:
    film = Film(Game.new(3, seed=1))
    assert film_in(film_page(film.part(), "light", "a match", "film?known="))["more"] == "film?known="
    assert film_in(replay_page(film.game))["more"] is None


def test_a_record_is_replayed_and_its_notes_are_shown(tmp_path: Path) -> None:
    game = on_the_way(6, seed=5, players=4)
    made = game.describe(game.history[2][1])
    notes = {2: Note((0.5, 0.25, 0.25), ((made, 0.75), ("pass", 0.25))), 6: Note((), (("pass", 1.0),))}
    record = {**game.record(), "notes": notes_field("tester", notes)}
    path = tmp_path / "game.json"
    path.write_text(json.dumps(record), encoding="utf-8")
    film = film_in(replay_page(path))
    assert (film["notes_by"], film["noted_unit"]) == ("tester", "outcome")
    assert set(film["notes"]) == {"2", "6"}
    assert film["notes"]["2"]["values"] == [0.5, 0.25, 0.25]
    assert [(choice["share"], choice["made"]) for choice in film["notes"]["2"]["choices"]] == [
        (0.75, True),
        (0.25, False),
    ]
    assert [choice["made"] for choice in film["notes"]["6"]["choices"]] == [False]
    assert pictures([film])[-1] == pictures([film_in(replay_page(game))])[-1]


def test_a_film_for_both_themes_is_hardly_larger_than_one_for_one() -> None:
    lines = Film.of(on_the_way(10_000, seed=5, players=4)).part()["lines"]
    assert sum(map(len, lines)) < 1.15 * sum(len(in_colour(line)) for line in lines)


def test_a_page_is_written_in_one_step(tmp_path: Path) -> None:
    path = write_replay_page(running("solo", 3, 5), tmp_path / "page.html", theme="dark")
    assert film_in(path.read_text(encoding="utf-8"))["format"] == "endeavor-film/2"
    with pytest.raises(InvalidOptionError, match="theme='blue' is not possible"):
        write_replay_page(running("solo", 3, 5), path, theme="blue")
    assert 'data-theme="dark"' in path.read_text(encoding="utf-8")
    assert [file.name for file in tmp_path.iterdir()] == ["page.html"]


def test_what_is_no_record_is_refused(tmp_path: Path) -> None:
    (tmp_path / "no.json").write_text("{}")
    for source in (tmp_path / "no.json", tmp_path / "missing.json", {"format": "endeavor-game/2"}):
        with pytest.raises(RecordError):
            replay_page(source)


def test_seats_of_another_game_have_the_colours_of_its_pieces() -> None:
    game = MerchantsGame.new(3, seed=1)
    for _ in range(30):
        game.apply(game.legal_actions()[0])
    part = Film.of(game).part()
    assert part["sides"] == ["merchants-0", "merchants-1", "merchants-2"]
    assert part["letters"] == ["R", "B", "W"]
    for seat, side in enumerate(part["sides"]):
        light, dark = part["side_colours"][side]
        fill = game.rules.presenter.piece(seat).fill
        assert fill in (light, dark)
        assert contrast(light, LIGHT.panel) >= LEAST_CONTRAST
        assert contrast(dark, DARK.panel) >= LEAST_CONTRAST
    assert "side_colours" not in Film.of(Game.new(3, seed=1)).part()


def test_the_film_of_a_seat_tells_what_it_was_told() -> None:
    game, draw = MerchantsGame.new(4, seed=2, max_rolls=25), random.Random(2)
    while not game.over:
        game.apply(draw.choice(game.legal_actions()))
    whole, of_seat = Film.of(game).part(), Film.of(game, 1).part()
    told = [row["move"]["text"] for row in of_seat["rows"][1:]]
    assert told == [text for _, text in game.moves_seen_by(1)]
    assert told != [row["move"]["text"] for row in whole["rows"][1:]]
    assert "a card is stolen" in {row["move"]["words"] for row in of_seat["rows"][1:]}
    hands = re.findall(r">Seat 2: [^<]* hand ([^;]*);", "\n".join(of_seat["lines"]))
    assert hands != []
    assert all(re.fullmatch(r"1 card|\d+ cards", hand) for hand in hands)
