"""TextArena makes every id, plays whole games of scripted answers, and ends those whose answers name no move."""
# pyright: reportMissingImports=false

import copy
import random
from functools import partial

import textarena as ta
from textarena.envs.registration import ENV_REGISTRY, check_env_exists

from endeavor_env import Game
from endeavor_env.endeavor.game import GameConfig
from endeavor_env.endeavor.rewards import SOLO, reward_function
from endeavor_env.errors import EndeavorError
from endeavor_env.textarena import IDS, EndeavorAgent, register

VIEWS = ("", "-train", "-raw")


def play(env, agent, seats, seed, garbled):
    """Return the observations of one game and what it came to, with some answers that name no move before the moves."""
    env.reset(num_players=seats, seed=seed)
    seen, drawn, done, told = [], random.Random(seed), False, 0
    while not done:
        assert env.state.current_player_id == env.table.game.seat
        to_move, observation = env.get_observation()
        seen.append(observation)
        if drawn.random() < garbled:
            done, _ = env.step("Let me think about discs.")
            assert not done
            again, refused = env.get_observation()
            assert again == to_move
            told += "No move was found" in str(refused)
        done, _ = env.step(f"I think about it.\n{agent(observation)}")
    rewards, info = env.close()
    return seen, rewards, info, told


def refusal(call):
    """Return the sentence with which ``call`` is refused."""
    try:
        call()
    except EndeavorError as error:
        return str(error)
    raise AssertionError("nothing was refused")


def check_games():
    """Every id plays a whole game equal to the same moves in ``Game``, in each view of it."""
    for name, variant in IDS.items():
        check_env_exists(name)
        seats = GameConfig(variant).players
        for view in VIEWS:
            env = ta.make(name + view)
            seen, rewards, info, told = play(env, EndeavorAgent(env, "random", 5), seats, 11, 0.1)
            game = env.table.game
            again = Game.new(seats, variant, seed=11)
            for _, action in game.history:
                again.apply(action)
            assert again.over
            reward = reward_function("margin" if variant == SOLO else "rank", seats, variant)
            assert rewards == dict(enumerate(reward(again.scores())))
            assert [info[seat]["turn_count"] for seat in range(seats)] == [
                sum(seat == by for by, _ in game.history) for seat in range(seats)
            ]
            assert sum(env.table.refused) > 0
            assert (told == sum(env.table.refused)) == (view != "-train")  # TextArena leaves GAME_ADMIN out there
            assert isinstance(seen[0], list if view == "-raw" else str)
            if view != "-raw":
                assert all(text.count("Choose one move") == 1 for text in seen)


def check_seeds():
    """Agents of one seed choose differently in each seat and game, the same each time; unseeded ones choose alone."""
    env = ta.make("Endeavor-v0-raw")
    for seed in (7, None):
        chosen = set()
        for _ in range(2):
            agents = [EndeavorAgent(env, "random", seed) for _ in range(4)]
            chosen.add(tuple(_choices(env, agent, seat) for seat, agent in enumerate(agents)))
        assert len(chosen) == (1 if seed else 2)
        assert all(len(set(choices)) == 4 for choices in chosen)
    assert _choices(env, agents[0], 0) != _choices(env, agents[0], 0), "the next game draws the same"


def _choices(env, agent, seat):
    """Return what an agent chooses in a seat at the beginning of 12 equal games."""
    env.reset(num_players=4, seed=3)
    env.table.game = Game.new(4, setup={**Game.new(4, seed=3).setup(), "first_player": seat})
    return tuple(agent("") for _ in range(12))


def check_refusals():
    """The last retry ends the game, as TextArena counts and as the table counts."""
    for retries in (0, 2):
        env = ta.make("Endeavor-v0-raw", retries=retries)
        env.reset(num_players=3, seed=2)
        seat = env.table.game.seat
        for left in range(retries, -1, -1):
            done, _ = env.step("no")
            assert done == (left == 0)
        rewards, info = env.close()
        assert rewards == {other: -1.0 if other == seat else 0.0 for other in range(3)}
        assert [info[other]["invalid_move"] for other in range(3)] == [other == seat for other in range(3)]
        assert info[seat]["reason"].startswith(f"Invalid Move of Player {seat}: ")
        assert "the game is over" in refusal(partial(env.step, "[pass]"))


def check_wrong_settings():
    """What is not possible is said in one sentence."""
    assert "illegal_action" in refusal(lambda: ta.make("Endeavor-v0", illegal_action="raise"))
    assert "legal_moves" in refusal(lambda: ta.make("Endeavor-v0", legal_moves="some"))
    assert "did you mean legal_moves?" in refusal(lambda: ta.make("Endeavor-v0", legal_move="list"))
    assert "players" in refusal(lambda: ta.make("Endeavor-v0-solo").reset(num_players=4))
    assert "seed" in refusal(lambda: ta.make("Endeavor-v0").reset(num_players=4, seed=-1))


def check_wrappers_and_copies():
    """Wrappers of TextArena stand around the game, its renderer draws it, and a copy goes its own way."""
    env = ta.make("Endeavor-v0", primer=False, form="full")
    assert "endeavor-text" in str(play(env, EndeavorAgent(env, "greedy"), 3, 1, 0)[0][0])
    env.reset(num_players=3, seed=1)
    clipped = ta.wrappers.ClipCharactersActionWrapper(ta.wrappers.ActionFormattingWrapper(env), 200)
    move = env.table.game.legal_moves()[0]
    other = copy.deepcopy(clipped)
    clipped.step(move)
    assert (len(env.table.game.history), len(other.table.game.history)) == (1, 0)
    other.step(move)
    assert other.table.game.state.tobytes() == env.table.game.state.tobytes()
    drawn = ta.wrappers.SimpleRenderWrapper(env, render_mode="board")
    drawn.reset(num_players=3, seed=1)
    drawn.step(f"[{move}]")


def main():
    known = len(ENV_REGISTRY)
    register()
    assert len(ENV_REGISTRY) == known
    check_games()
    check_seeds()
    check_refusals()
    check_wrong_settings()
    check_wrappers_and_copies()
    print("check_textarena: all passed")


if __name__ == "__main__":
    main()
