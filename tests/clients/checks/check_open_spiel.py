"""OpenSpiel plays the games, copies and saves them, and runs its own checks and algorithms on them.

``check_open_spiel.py 10000`` compares so many random games with ``Game``, move by move; 30 without a number.
"""
# pyright: reportMissingImports=false

import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pyspiel
from absl import flags
from open_spiel.python import rl_environment
from open_spiel.python.algorithms import evaluate_bots, generate_playthrough, mcts, random_agent
from open_spiel.python.bots.uniform_random import UniformRandomBot

from endeavor_env import Game
from endeavor_env.basics.inputs import derived_seed
from endeavor_env.endeavor.observation import observe
from endeavor_env.engine.rewards import final_rewards
from endeavor_env.open_spiel import bot
from endeavor_env.open_spiel.settings import NAMES

GAMES = 30
CRASH = """
import pyspiel, open_spiel.python.games.tic_tac_toe
game = pyspiel.load_game("python_tic_tac_toe")
search = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(1, 1), 2.0, 20, 10, False, 3, False)
search.step(game.new_initial_state())
"""


def check_games(number):
    """Compare random games of all variants with Game, move by move."""
    drawn = random.Random(5)
    for at in range(number):
        name = list(NAMES)[at % len(NAMES)]
        game = pyspiel.load_game(name, {"seed": at})
        state, same = game.new_initial_state(), Game.new(game.num_players(), NAMES[name], seed=at)
        while not same.over:
            assert not state.is_terminal()
            assert state.current_player() == same.seat
            legal = state.legal_actions()
            assert legal == same.legal_actions()
            action = drawn.choice(legal)
            assert state.action_to_string(action) == same.describe(action)
            state.apply_action(action)
            same.apply(action)
            assert state.endeavor_game.state.tobytes() == same.state.tobytes()
        assert state.is_terminal()
        assert state.returns() == final_rewards(game.settings.reward, same.scores(), same.num_players)
    return number


def check_copies():
    """Copies, saved states and structs are the same position, and go their own way."""
    for name in NAMES:
        game = pyspiel.load_game(name, {"seed": 3})
        state = game.new_initial_state()
        for _ in range(20):
            state.apply_action(state.legal_actions()[-1])
        bytes_before = state.endeavor_game.state.tobytes()
        _, saved = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))
        built = game.new_initial_state(state.to_struct())
        copy = state.clone()
        for other in (saved, built, copy):
            assert other.endeavor_game.state.tobytes() == bytes_before
            other.apply_action(other.legal_actions()[0])
        assert state.endeavor_game.state.tobytes() == bytes_before
        move = state.action_to_string(state.legal_actions()[0])
        assert state.string_to_action(move) == state.legal_actions()[0]
        assert (
            state.struct_to_actions(state.action_to_struct(state.current_player(), state.legal_actions()[0]))[0]
            == (state.legal_actions()[0])
        )


def check_observers():
    """Both layouts are those of ``observe``."""
    state = pyspiel.load_game("endeavor(players=3,seed=1)").new_initial_state()
    compact = pyspiel.load_game("endeavor(players=3,seed=1,observation=compact)").new_initial_state()
    for kind, one in (("features", state), ("compact", compact)):
        assert np.array_equal(one.observation_tensor(2), observe(one.endeavor_game, 2, kind).astype(np.float32))


def check_chance():
    """Numbered set-ups are drawn by a chance node."""
    game = pyspiel.load_game("endeavor(players=3,seed=10,setups=4)")
    state = game.new_initial_state()
    assert state.is_chance_node()
    assert state.chance_outcomes() == [(number, 0.25) for number in range(4)]
    state.apply_action(2)
    assert state.endeavor_game.setup() == Game.new(3, seed=derived_seed(10, 2)).setup()


def check_seeds():
    """Numbered set-ups of near seeds are others; bots choose differently, also those of one seed."""
    seeds = []
    for seed in (10, 11):
        for number in range(4):
            state = pyspiel.load_game(f"endeavor(players=3,seed={seed},setups=4)").new_initial_state()
            state.apply_action(number)
            seeds.append(state.endeavor_game.seed)
    assert len(set(seeds)) == 8
    for bots in ([bot("random", seed=7) for _ in range(4)], [bot("random") for _ in range(4)]):
        assert len({_choices(one, seat) for seat, one in enumerate(bots)}) == 4
    assert _choices(bot("random", seed=7), 2) == _choices(bot("random", seed=7), 2)
    again = bot("random", seed=7)
    assert _choices(again, 2) != _choices(again, 2), "the next game draws the same"


def _choices(one, seat):
    """Return what a bot chooses in a seat at the beginning of 12 equal games."""
    one.restart()
    setup = json.dumps({**Game.new(4, seed=8).setup(), "first_player": seat})
    state = pyspiel.load_game("endeavor", {"players": 4, "setup": setup}).new_initial_state()
    return tuple(one.step(state) for _ in range(12))


def check_parameters():
    """Every option of Game.new is a parameter."""
    given = Game.new(3, seed=8).setup()
    state = pyspiel.load_game("endeavor", {"players": 3, "setup": json.dumps(given)}).new_initial_state()
    assert state.endeavor_game.setup() == given
    state = pyspiel.load_game("endeavor_exploits(players=5,exploits=voc+sun,exploit_discs=30)").new_initial_state()
    assert state.endeavor_game.exploits == ("voc", "sun")
    assert state.endeavor_game.options["exploit_discs"] == 30
    state = pyspiel.load_game("endeavor_solo(difficulty=harder,opposition_ties=first)").new_initial_state()
    assert state.endeavor_game.options["difficulty"] == "harder"
    state = pyspiel.load_game("endeavor(board=generated_3)").new_initial_state()
    assert state.endeavor_game.board.id == "generated_3"


def check_own_checks():
    """OpenSpiel's random simulation with its checks; a playthrough that is written and read back."""
    pyspiel.random_sim_test(pyspiel.load_game("endeavor(players=3)"), num_sims=1, serialize=True, verbose=False)
    pyspiel.random_sim_test(pyspiel.load_game("endeavor_solo(setups=3)"), num_sims=1, serialize=True, verbose=False)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "endeavor_solo.txt"
        flags.FLAGS(sys.argv[:1])  # which the module of playthroughs looks at
        path.write_text(generate_playthrough.playthrough("endeavor_solo(seed=2)", None, seed=1), encoding="utf-8")
        before, after = generate_playthrough.replay(str(path))
        assert before == after


def check_trajectories():
    """A file of saved games, read back and played on."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "games.txt"
        game = pyspiel.load_game("endeavor(players=3,seed=4)")
        state = game.new_initial_state()
        evaluate_bots.evaluate_bots(state, [bot("greedy", seed) for seed in range(3)], np.random)
        path.write_text(pyspiel.serialize_game_and_state(game, state), encoding="utf-8")
        _, back = pyspiel.deserialize_game_and_state(path.read_text(encoding="utf-8"))
        assert back.is_terminal()
        assert back.returns() == state.returns()
        assert back.history() == state.history()


def check_rl_environment():
    """OpenSpiel's environment with its random agents, to the end of a game."""
    env = rl_environment.Environment("endeavor", players=3, seed=2)
    agents = [random_agent.RandomAgent(seat, env.action_spec()["num_actions"]) for seat in range(3)]
    step = env.reset()
    while not step.last():
        step = env.step([agents[step.observations["current_player"]].step(step).action])
    assert sum(step.rewards) == 1


def check_search(simulations=20, games=4):
    """OpenSpiel's search in Python wins against random play."""
    won = 0.0
    for number in range(games):
        game = pyspiel.load_game("endeavor_neutral_2", {"seed": number // 2})
        rng = np.random.RandomState(number)
        search = mcts.MCTSBot(
            game, 1.5, simulations, mcts.RandomRolloutEvaluator(1, rng), solve=False, random_state=rng
        )
        bots = [UniformRandomBot(seat, rng) for seat in range(2)]
        seat = number % 2
        bots[seat] = search
        won += evaluate_bots.evaluate_bots(game.new_initial_state(), bots, rng)[seat]
    assert won / games > 0.6, won
    return won / games


def crashes():
    """Return whether the search in C++ still crashes on a game written in Python, OpenSpiel's own."""
    return subprocess.run([sys.executable, "-c", CRASH], capture_output=True).returncode < 0


if __name__ == "__main__":
    checked = check_games(int(sys.argv[1]) if len(sys.argv) > 1 else GAMES)
    if len(sys.argv) == 1:
        check_copies()
        check_observers()
        check_chance()
        check_seeds()
        check_parameters()
        check_own_checks()
        check_trajectories()
        check_rl_environment()
        print(json.dumps({"search_in_python": check_search(), "search_in_cpp_crashes": crashes()}))
    print(json.dumps({"client": "open_spiel", "games": checked}))
