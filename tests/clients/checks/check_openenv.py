"""OpenEnv's client plays whole games at the server, and its own validation passes.

It looks at the server, at the package folder and at an episode; the oracle earns all there is, and the floor does not.
"""
# pyright: reportMissingImports=false

import json
import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

ROOT = Path(__file__).resolve().parents[3]
PACKAGE = ROOT / "docs" / "clients" / "endeavor_openenv"
sys.path.append(str(ROOT / "docs" / "clients"))

from openenv.core.generic_client import GenericEnvClient  # noqa: E402
from openenv.validation import Level, run_validation  # noqa: E402
from openenv.validation.types import ProviderCapability  # noqa: E402
from openenv_match import running_server  # noqa: E402

from endeavor_env.endeavor.records import replay  # noqa: E402
from endeavor_env.endeavor.rewards import SOLO, reward_function  # noqa: E402
from endeavor_env.endeavor.rules.constants import VARIANT_NAMES  # noqa: E402
from endeavor_env.openenv import EndeavorAction, EndeavorEnv, EndeavorEnvironment  # noqa: E402

GRADED = ("static.manifest", "runtime.startup", "runtime.reward_well_formed", "runtime.observation_schema",
          "runtime.state_contract")  # fmt: skip
"""The checks that OpenEnv 0.10.0 has; the others of its policy are not there yet, or ask for Docker."""


class Subject:
    """A server that runs, as OpenEnv's validation sees it."""

    def __init__(self, server):
        """Start the server that the context manager ``server`` runs."""
        self._server = server
        self.base_url = server.__enter__()

    def inspect(self):
        return {}

    def stop(self):
        self._server.__exit__(None, None, None)


class OwnProcess:
    """Starts the server as a process of this machine, in place of a container."""

    name = "own_process"
    capabilities = frozenset({ProviderCapability.IMAGE_BUILD})
    supported_network_modes = frozenset({"public", "no-network"})

    def build(self, root, execution):
        return "sha256:" + "0" * 64

    def start(self, spec):
        return Subject(running_server())


def openenv(*arguments):
    """Return what a command of OpenEnv prints; it must succeed."""
    command = [str(Path(sys.executable).parent / "openenv"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def check_validation(url):
    """The validation of OpenEnv passes."""
    assert "Verdict: PASS" in openenv("validate", "--url", url)
    assert "Verdict: PASS" in openenv("validate", str(PACKAGE), "--level", "static", "--skip-build")
    found = {
        one.check_id: one for one in run_validation(PACKAGE, max_level=Level.RUNTIME, provider=OwnProcess()).results
    }
    for check in GRADED:
        assert found[check].status.value == "pass", (check, found[check].evidence)
    answers = json.loads((PACKAGE / "validation" / "runtime.json").read_text(encoding="utf-8"))["actions"]
    assert found["runtime.state_contract"].measured["exchanges"] == 2 + 2 * len(answers)  # each asks for the state, too
    assert not [check for check, one in found.items() if one.status.value in ("fail", "error")]


def check_oracle(url):
    """The oracle earns the highest reward that the manifest declares, and the floor lies below it."""
    script = PACKAGE / "validation" / "oracle.py"
    ran = subprocess.run([sys.executable, str(script), url], capture_output=True, text=True, check=True)
    assert json.loads(ran.stdout) == {"oracle": 1.0, "floor": 0.0}


def play(url, game, seat, opponents, seed, **told):
    """Return the state after a whole game of random moves, with an answer without a move before some of them."""
    drawn = random.Random(seed)
    with EndeavorEnv(base_url=url).sync() as env:
        seen = env.reset(seed=seed, game=game, seat=seat, opponents=opponents, episode_id="one", **told).observation
        assert seen.reward is None
        assert ("Endeavor" in seen.rules) == told.get("primer", True)
        refused = steps = 0
        while not seen.done:
            if drawn.random() < 0.1:
                again = env.step(EndeavorAction(answer="Let me think about discs.")).observation
                assert (again.prompt, again.reward, again.done) == (seen.prompt, 0, False)
                assert "No move was found" in again.refused
                refused, steps = refused + 1, steps + 1
            moves = seen.legal_moves if isinstance(seen.legal_moves, list) else replay(env.state().record).legal_moves()
            move = drawn.choice(moves)
            result = env.step(EndeavorAction(answer=f"I think about it.\n[{move}]"))
            seen, steps = result.observation, steps + 1
            assert seen.news[0] == {"seat": seat, "move": move}
            assert (seen.prompt == "") == seen.done == result.done
        state = env.state()
    assert (state.episode_id, state.step_count, state.refused, state.seat) == ("one", steps, refused, seat)
    ended = replay(state.record)
    assert ended.over
    assert seen.result["scores"] == ended.scores()
    reward = reward_function("margin" if ended.variant == SOLO else "win", ended.num_players, ended.variant)
    assert seen.reward == reward(ended.scores())[seat]
    return state


def check_games(url):
    """Every variant, each form of the prompt, several sessions at a time."""
    for number, variant in enumerate(VARIANT_NAMES):
        play(url, variant, 0, "greedy", number, form=("short", "full", "json")[number % 3])
    play(url, "solo", 0, [], 5)
    play(url, "standard:players=4,board=generated_7", 3, ["greedy", "value", "random"], 7, legal_moves="count")
    with ThreadPoolExecutor(4) as pool:
        same = list(pool.map(lambda _: play(url, "standard:players=4", 1, "value", 11, primer=False).record, range(4)))
    assert all(record == same[0] for record in same)


def refusal(call):
    """Return the sentence with which ``call`` is refused."""
    try:
        call()
    except RuntimeError as error:
        return str(error)
    raise AssertionError("nothing was refused")


def answer_to(request):
    """Return the answer to a request, whatever its status."""
    try:
        return urlopen(request)
    except HTTPError as error:
        return error


def check_refusals(url):
    """The last retry ends the game, and what is not possible is said in one sentence, of files nothing."""
    with EndeavorEnv(base_url=url).sync() as env:
        assert "reset first" in refusal(partial(env.step, EndeavorAction(answer="[pass]")))
        for wrong, word in (
            ({"game": "chess"}, "variant"),
            ({"game": "standard:board=/etc/passwd"}, "endeavor_2009"),
            ({"opponents": "value:/etc/passwd"}, "file"),
            ({"opponents": ["greedy", "greedy"]}, "opponents"),
            ({"oponents": "greedy"}, "did you mean opponents?"),
            ({"illegal_reward": -9}, "illegal_reward"),
            ({"seat": 4}, "seat"),
            ({"seed": -1}, "seed"),
        ):
            sentence = refusal(partial(env.reset, **wrong))
            assert word in sentence, sentence
            assert "\n" not in sentence
        env.reset(seed=1, retries=1)
        first, last = (env.step(EndeavorAction(answer="no")) for _ in range(2))
        assert (first.done, first.reward, first.observation.retries_left) == (False, 0, 1)
        assert (last.done, last.reward, env.state().forfeited) == (True, -1, True)
        assert "the game is over" in refusal(partial(env.step, EndeavorAction(answer="[pass]")))
    body = json.dumps({"game": "chess"}).encode()
    with answer_to(Request(f"{url}/reset", body, {"Content-Type": "application/json"})) as answer:
        assert (answer.status, "variant" in json.load(answer)["detail"]) == (400, True)


def check_other_clients(url):
    """A client that knows nothing of this package plays, and the page has a picture and the moves."""
    with GenericEnvClient(base_url=url).sync() as env:
        seen = env.reset(seed=1).observation
        assert env.step({"answer": f"[{seen['legal_moves'][0]}]"}).observation["news"][0]["seat"] == 0
    own = EndeavorEnvironment()
    assert (own.render_web({}), own.web_actions({})) == (None, [])
    seen = own.reset(seed=1)
    assert "<svg" in str(own.render_web({}))
    assert [move for move, _ in own.web_actions({})] == seen.legal_moves


def main():
    with running_server() as url:
        check_games(url)
        check_refusals(url)
        check_other_clients(url)
        check_validation(url)
        check_oracle(url)
    print("check_openenv: all passed")


if __name__ == "__main__":
    main()
