"""The pages ``docs/environments/*.md``.

The prose of a page is the docstring of its environment. The table at the top and those of the spaces and arguments are
read from the environment itself. What the environments have in common, the sizes of action and observation spaces and
most arguments, stands on one page, ``all.md``.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Sequence
from enum import Enum
from typing import Any, NamedTuple

import gymnasium
from gymnasium import spaces
from markdown_tables import table

from endeavor_env import GYMNASIUM_ID, GYMNASIUM_SOLO_ID, PETTINGZOO_ID, endeavor_v0
from endeavor_env.endeavor.observation import layout_for
from endeavor_env.endeavor.rules.actions import num_actions
from endeavor_env.envs.endeavor import make_endeavor, make_endeavor_aec, make_endeavor_solo, make_endeavor_vector

VARIANTS = ("standard", "solo", "soloplay_2", "soloplay_3", "neutral_2", "exploits")


class Page(NamedTuple):
    """One page about an environment."""

    file: str
    title: str
    documented: Callable[..., Any]
    """The function whose docstring is the prose."""
    header: Callable[[], Sequence[tuple[str, str]]]
    """Returns the rows of the table at the top."""
    picture: str
    """Markdown of the picture under the title."""
    example: str
    """A program that runs."""


# --- the table at the top --------------------------------------------------------------------------------------------


def _space_words(space: gymnasium.Space[Any]) -> str:
    """Return a space in a form that fits a table."""
    if isinstance(space, spaces.Dict):
        return "Dict(" + ", ".join(f"{name!r}: {_space_words(part)}" for name, part in space.items()) + ")"
    if isinstance(space, spaces.Box):
        return f"Box({space.low.min():g}, {space.high.max():g}, {space.shape}, {space.dtype})"
    if isinstance(space, spaces.MultiDiscrete):
        return f"MultiDiscrete({space.nvec.size} times {space.nvec.flat[0]})"
    return str(space)


def _gymnasium_header(name: str) -> list[tuple[str, str]]:
    env = gymnasium.make(name)
    return [
        ("Action space", f"`{env.action_space}`"),
        ("Observation space", f"`{_space_words(env.observation_space)}`"),
        ("Import", f'`import endeavor_env; gymnasium.make("{name}")`'),
    ]


def _endeavor_header() -> list[tuple[str, str]]:
    return _gymnasium_header(GYMNASIUM_ID)


def _solo_header() -> list[tuple[str, str]]:
    return _gymnasium_header(GYMNASIUM_SOLO_ID)


def _vector_header() -> list[tuple[str, str]]:
    env = gymnasium.make_vec(GYMNASIUM_ID, num_envs=64)
    rows = [
        ("Action space of a game", f"`{env.single_action_space}`"),
        ("Observation space of a game", f"`{_space_words(env.single_observation_space)}`"),
        ("Action space of 64 games", f"`{_space_words(env.action_space)}`"),
        ("Observation space of 64 games", f"`{_space_words(env.observation_space)}`"),
        ("Import", f'`import endeavor_env; gymnasium.make_vec("{GYMNASIUM_ID}", num_envs=64)`'),
        ("Solitaire", f'`gymnasium.make_vec("{GYMNASIUM_SOLO_ID}", num_envs=64)`'),
    ]
    env.close()
    return rows


def _aec_header() -> list[tuple[str, str]]:
    env = endeavor_v0.env()
    agent = env.possible_agents[0]
    seen = env.observation_space(agent)
    assert isinstance(seen, spaces.Dict)
    vector = seen["observation"]
    assert isinstance(vector, spaces.Box)
    return [
        ("Import", "`from endeavor_env import endeavor_v0`"),
        ("By name", f'`pettingzoo.make("aec", "{PETTINGZOO_ID}")` after `import endeavor_env`'),
        ("Actions", "Discrete"),
        ("Parallel API", "`endeavor_v0.parallel_env()`; only the action of the agent to move counts"),
        ("Agents", ", ".join(f"`{name!r}`" for name in env.possible_agents)),
        ("Number of agents", "4; with `players` 3 to 5, in the variants 1 to 3"),
        ("Action values", f"`{env.action_space(agent)}`"),
        ("Observation shape", f"`{vector.shape}`, {vector.dtype}, and a mask `{seen['action_mask'].shape}`"),
        ("Observation values", f"[{vector.low.min():g}, {vector.high.max():g}]"),
        ("State shape", f"`{env.state_space.shape}`"),
        ("State values", f"[{env.state_space.low.min():g}, {env.state_space.high.max():g}]"),
    ]


# --- what all environments have --------------------------------------------------------------------------------------

COMMON = "all.md"
_COMMON_HEAD = """\
# All environments

What [Endeavor](endeavor.md), [EndeavorSolo](endeavor_solo.md), [Endeavor for PettingZoo](endeavor_aec.md) and the
[vector environments](vector.md) have in common: the same rules, action ids, observations and arguments. Their own pages
say what a step is, what is rewarded, how an episode ends, and which arguments they have beside these."""
_ARGUMENTS_HEAD = "Every environment has these, with the same defaults."


def _sizes(variants: Sequence[str]) -> str:
    """Return the table of the action ids and of the lengths of observations by variant."""
    rows = (
        (
            f"`{variant}`" if variant != "exploits" else "`standard` with `exploits`",
            num_actions(variant),
            *(layout_for(variant, kind).size for kind in ("features", "compact")),
        )
        for variant in variants
    )
    return table(["variant", "action ids", '`"features"` (float32)', '`"compact"` (int8)'], rows)


def common_page() -> str:
    """Return the text of the page about what all environments have."""
    parts = [
        _COMMON_HEAD,
        "## Sizes",
        _sizes(VARIANTS),
        "Every id with its move: [Actions](../actions.md). Every slice with its range and meaning: "
        "[Observations](../observation.md).",
        "## Arguments",
        _ARGUMENTS_HEAD,
        table(_ARGUMENT_HEAD, _shared_arguments().values()),
    ]
    return _single_backticks("\n\n".join(parts))


def _single_backticks(text: str) -> str:
    """Return the text of docstrings as Markdown writes it."""
    return re.sub(r"(?<!`)``(?!`)", "`", text) + "\n"


# --- arguments -------------------------------------------------------------------------------------------------------

_ARGUMENT = re.compile(r"- ((?:``\w+``(?:, )?)+): (.*)", re.DOTALL)
_ARGUMENT_HEAD = ("argument", "type", "default", "meaning")
Row = tuple[str, str, str, str]


def _arguments(documented: Callable[..., Any]) -> tuple[list[str], dict[str, Row]]:
    """Return the paragraphs about the arguments of an environment, and a row for each argument that it lists."""
    parameters = inspect.signature(documented).parameters
    before: list[str] = []
    rows: dict[str, Row] = {}
    for part in re.split(r"\n(?=- )|\n\n", sections(documented)["Arguments"]):
        if not (found := _ARGUMENT.fullmatch(part)):
            before.append(part)
            continue
        meaning = " ".join(found[2].split())
        for name in re.findall(r"\w+", found[1]):
            rows[name] = (f"`{name}`", f"`{_type(parameters[name])}`", f"`{_default(parameters[name])}`", meaning)
    return before, rows


def _shared_arguments() -> dict[str, Row]:
    """Return the rows of the arguments that are the same in every environment of single games."""
    first, *others = (
        _arguments(documented)[1] for documented in (make_endeavor, make_endeavor_solo, make_endeavor_aec)
    )
    return {name: row for name, row in first.items() if all(other.get(name) == row for other in others)}


def _own_arguments(documented: Callable[..., Any]) -> list[str]:
    """Return the parts about the arguments that only some environments have."""
    before, rows = _arguments(documented)
    shared = _shared_arguments()
    own = [row for name, row in rows.items() if shared.get(name) != row]
    names = ", ".join(f"`{name}`" for name in shared if name in rows)
    note = [f"Beside those of [all environments](all.md#arguments), {names}:"] if names else []
    return [*before, *note, table(_ARGUMENT_HEAD, own)]


def _type(parameter: inspect.Parameter) -> str:
    return str(parameter.annotation).replace("|", "or")


def _default(parameter: inspect.Parameter) -> str:
    default = parameter.default
    return str(default) if isinstance(default, Enum) else repr(default)


# --- the pages -------------------------------------------------------------------------------------------------------

_GYMNASIUM_EXAMPLE = """\
import gymnasium as gym
import endeavor_env  # registers Endeavor-v0

env = gym.make("Endeavor-v0", players=4, opponents="greedy", learner_seat="rotate")
observation, info = env.reset(seed=7)
print(info["seat"], env.unwrapped.game().legal_moves())
done = False
while not done:
    action = env.action_space.sample(observation["action_mask"])
    observation, reward, terminated, truncated, info = env.step(action)
    done = terminated or truncated
print(info["reason"], info["scores"], reward)"""

_SOLO_EXAMPLE = """\
import gymnasium as gym
import endeavor_env  # registers EndeavorSolo-v0

env = gym.make("EndeavorSolo-v0", difficulty="normal", opposition_ties="first")
observation, info = env.reset(seed=7)
done = False
while not done:
    action = env.action_space.sample(observation["action_mask"])
    observation, reward, terminated, truncated, info = env.step(action)
    done = terminated or truncated
print(info["scores"], info["ladder"], reward)  # the player and the Opposition"""

_AEC_EXAMPLE = """\
from endeavor_env import endeavor_v0

env = endeavor_v0.env(players=3, reward="margin")
env.reset(seed=7)
for agent in env.agent_iter():
    observation, reward, termination, truncation, info = env.last()
    ended = termination or truncation
    env.step(None if ended else env.action_space(agent).sample(observation["action_mask"]))
print(env.result())"""

_VECTOR_EXAMPLE = """\
import gymnasium as gym
import numpy as np
import endeavor_env  # registers Endeavor-v0

envs = gym.make_vec("Endeavor-v0", num_envs=256, players=3, opponents={"random": 1, "greedy": 2}, flat=True)
observations, info = envs.reset(seed=7)
rng = np.random.default_rng(7)
for _ in range(200):
    masks = info["action_mask"]  # (256, 197) int8
    actions = (rng.random(masks.shape) * masks).argmax(axis=1)  # a random legal action of each game
    observations, rewards, terminations, truncations, info = envs.step(actions)
envs.close()"""

_NOTES = {
    "Action Space": "Sizes: [all environments](all.md#sizes). Every id: [Actions](../actions.md).",
    "Observation Space": "Sizes: [all environments](all.md#sizes). Every slice: [Observations](../observation.md).",
    "Observations and buffers": "What the entries of a row mean: [Observations](../observation.md).",
}
"""What follows the prose of a section."""
_GAME = "![A game of four greedy agents from the first to the last round](../pictures/game.gif)"
_SOLO = "![A solitaire game of a greedy agent from the first to the last round](../pictures/solo.gif)"
PAGES = (
    Page("endeavor.md", "Endeavor", make_endeavor, _endeavor_header, _GAME, _GYMNASIUM_EXAMPLE),
    Page("endeavor_solo.md", "EndeavorSolo", make_endeavor_solo, _solo_header, _SOLO, _SOLO_EXAMPLE),
    Page("endeavor_aec.md", "Endeavor for PettingZoo", make_endeavor_aec, _aec_header, _GAME, _AEC_EXAMPLE),
    Page("vector.md", "Vector environments", make_endeavor_vector, _vector_header, _GAME, _VECTOR_EXAMPLE),
)


def sections(documented: Callable[..., Any]) -> dict[str, str]:
    """Return the sections of a docstring by heading; what stands before the first has the heading ""."""
    first, *parts = re.split(r"^## (.+)\n", inspect.getdoc(documented) or "", flags=re.MULTILINE)
    pairs = zip(parts[::2], parts[1::2], strict=True)
    return {"": first.strip()} | {heading: text.strip() for heading, text in pairs}


def text_of(page: Page) -> str:
    """Return the text of one page."""
    prose = sections(page.documented)
    first = prose.pop("")
    parts = [f"# {page.title}", page.picture, table(["", ""], page.header()), first]
    for heading, text in prose.items():
        parts.append(f"## {heading}")
        parts += [text] if heading != "Arguments" else _own_arguments(page.documented)
        parts += [_NOTES[heading]] if heading in _NOTES else []
    parts += ["## Example", f"```python\n{page.example}\n```"]
    return _single_backticks("\n\n".join(parts))


def pages() -> dict[str, str]:
    """Return the texts of all pages by their paths below ``docs``."""
    texts = {COMMON: common_page()} | {page.file: text_of(page) for page in PAGES}
    return {f"environments/{name}": text for name, text in texts.items()}
