"""vf-validate and vf-eval play whole games of a scripted model, which a small server answers for."""
# pyright: reportMissingImports=false

import asyncio
import itertools
import json
import os
import random
import subprocess
import sys
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT), str(ROOT / "docs/clients/endeavor_v1")]

import verifiers.v1 as vf  # noqa: E402

from endeavor_env import Game  # noqa: E402
from endeavor_env.agents.registry import make_agent  # noqa: E402
from endeavor_env.basics.inputs import derived_seed  # noqa: E402
from endeavor_env.endeavor.board import Board  # noqa: E402
from endeavor_env.endeavor.records import replay  # noqa: E402
from endeavor_env.endeavor.rules.constants import VARIANT_NAMES  # noqa: E402
from endeavor_env.errors import EndeavorError  # noqa: E402
from tests.kits.text_reader import read_position  # noqa: E402

BOARD = Board.resolve(None)


def greedy_action(game):
    """Return what ``greedy`` does with the first random numbers of its seed, where it draws."""
    agent = make_agent("greedy")
    agent.reset(0)
    return agent.act(game)


def greedy_move(prompt):
    """Return the move of ``greedy`` for the position in a prompt, made again from its JSON."""
    position = json.JSONDecoder().raw_decode(prompt)[0]["position"]
    game = Game.new(position["players"], position["variant"], seed=1)
    game.state[...] = read_position(position, BOARD)
    return game.describe(greedy_action(game))


class ScriptedModel(BaseHTTPRequestHandler):
    """Answers chat completions: "greedy" with its moves, a tenth of them garbled, any other model without a move."""

    protocol_version = "HTTP/1.1"
    drawn = random.Random(1)

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        prompts = [one["content"] for one in asked["messages"] if one["role"] == "user"]
        text = "I would rather not."
        if asked["model"] == "greedy" and (self.drawn.random() > 0.1 or not prompts[-1].startswith("{")):
            position = next(prompt for prompt in reversed(prompts) if prompt.startswith("{"))
            text = f"Let me think.\n**[{greedy_move(position).upper()}]**"
        answer = {
            "id": "1",
            "object": "chat.completion",
            "created": 0,
            "model": asked["model"],
            "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}],
            "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
        }
        body = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def command(name, *arguments):
    """Run a command of verifiers on the taskset; return the folder of what it wrote."""
    folder = tempfile.mkdtemp()
    path = os.pathsep.join([*sys.path[:2], os.environ.get("PYTHONPATH", "")])
    program = [str(Path(sys.executable).parent / name), "endeavor-v1", "--no-rich", "-o", folder, "--run.name", "run"]
    done = subprocess.run([*program, *arguments], env=os.environ | {"PYTHONPATH": path}, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return Path(folder) / "run"


def evaluated(url, model, games, *arguments):
    """Return the traces of each game that vf-eval plays at once, of the eval split."""
    client = ("--no-push", "--model", model, "--client.base-url", url, "--client.api-key-var", "NO_KEY")
    split = ("-n", str(games), "--env.taskset.split", "eval", "--env.taskset.form", "json")
    run = command("vf-eval", *split, *client, *arguments)
    episodes = [json.loads(line) for line in (run / "traces.jsonl").read_text().splitlines()]
    assert len(episodes) == games
    assert all(episode["ok"] for episode in episodes), json.dumps(episodes)[-3000:]
    return [episode["traces"] for episode in episodes]


def played_alone(data):
    """Return the moves of a task's game when nothing else is played meanwhile."""
    game = Game.new(**data["played"])
    agents = {int(seat): make_agent(name) for seat, name in data["agents"].items()}
    for seat, agent in agents.items():
        agent.reset(derived_seed(data["played"]["seed"], seat))
    while not game.over:
        game.apply(agents[game.seat].act(game) if game.seat in agents else greedy_action(game))
    return game.history


def check_trace(trace):
    """What a trace says of its game is so."""
    played, metrics = trace["info"]["endeavor"], trace["metrics"]
    game = replay(played["record"])
    assert game.history == played_alone(trace["task"]["data"])
    assert metrics["finished"] == 1
    assert metrics["glory"] == game.scores()[played["seat"]]
    assert metrics["moves"] == sum(seat == played["seat"] for seat, _ in game.history)
    assert trace["rewards"]["outcome"]["score"] == played["reward"]
    answers = [node for node in trace["nodes"] if node["message"]["role"] == "assistant"]
    assert len(answers) == metrics["moves"] + metrics["refused"]
    return played["reward"]


def check_games(url):
    """Whole games of the solitaire, of one model among three agents from each seat, and of four seats of the model."""
    for games, arguments, expected in (
        (1, ("--env.taskset.variant", "solo"), None),
        (4, ("--env.taskset.opponents", '["random"]', "--env.taskset.reward", "rank"), [[1.0]] * 4),
        (1, ("--env.taskset.opponents", "[]"), None),
    ):
        found = evaluated(url, "greedy", games, *arguments)
        rewards = [[check_trace(trace) for trace in traces] for traces in found]
        refused = [[trace["metrics"]["refused"] for trace in traces] for traces in found]
        print(json.dumps({"game": arguments, "rewards": rewards, "refused": refused}))
        assert sum(map(sum, refused)) > 0
        assert expected in (None, rewards)
    assert len(rewards[0]) == 4
    assert abs(sum(rewards[0]) - 1) < 1e-9


def check_games_cut_short(url):
    """Refused answers end a game and cost; a limit of the player ends it and costs nothing."""
    ((trace,),) = evaluated(url, "rubbish", 1, "--env.taskset.retries", "1")
    assert trace["rewards"]["outcome"]["score"] == -1
    assert (trace["metrics"]["forfeited"], trace["metrics"]["refused"]) == (1, 2)
    ((trace,),) = evaluated(url, "greedy", 1, "--env.player.max-turns", "3")
    assert trace["rewards"]["outcome"]["score"] == 0
    assert trace["metrics"]["finished"] == 0


def check_validation():
    """The checks of verifiers pass: an agent ends each game of each variant, and an untouched one pays nothing."""
    summary = json.loads(
        (command("vf-validate", "-n", "8", "--runtime.type", "subprocess") / "summary.json").read_text()
    )
    assert summary["outcomes"]["valid"] == summary["total"] == 8
    for variant in VARIANT_NAMES:
        for task in tasks(variant=variant).take(2):
            assert asyncio.run(task.validate(None))


def tasks(**settings):
    return vf.load_taskset(vf.taskset_config_type("endeavor-v1")(id="endeavor-v1", **settings))


def check_tasks():
    """Each set-up once from each seat, and none in both splits."""
    found = list(tasks(split="eval", games=8))
    assert [task.data.played["seed"] for task in found] == [1_000_003] * 4 + [1_000_004] * 4
    assert [set(range(4)) - set(task.data.agents) for task in found] == [{0}, {1}, {2}, {3}] * 2
    assert len({task.key for task in found}) == 8
    train = tasks(opponents=["greedy", "value", "random"])
    assert not train.bounded
    assert [task.data.agents for task in itertools.islice(train, 2)] == [
        {1: "greedy", 2: "value", 3: "random"},
        {2: "greedy", 3: "value", 0: "random"},
    ]
    assert next(iter(train)).data.played["seed"] >= 1_000_003 + 1_000_000
    drawn = [task.data.system_prompt for task in tasks(variant="exploits", opponents=[]).take(2)]
    assert drawn[0] != drawn[1]
    assert next(iter(tasks(primer=False))).data.system_prompt is None
    for wrong in (
        {"variant": "duel"},
        {"opponents": ["greedy"] * 2},
        {"games": 0},
        {"reward": "ladder"},
        {"retries": -1},
    ):
        try:
            tasks(**wrong)
        except EndeavorError:
            continue
        raise AssertionError(wrong)


def main():
    server = ThreadingHTTPServer(("127.0.0.1", 0), ScriptedModel)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}/v1"
    check_tasks()
    check_validation()
    check_games(url)
    check_games_cut_short(url)
    print("check_verifiers: all passed")


if __name__ == "__main__":
    main()
