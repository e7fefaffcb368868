"""The commands of ``endeavor``, one entry each."""

from __future__ import annotations

from endeavor_env.cli.completion import agent_names, board_names, seat_names
from endeavor_env.cli.lazy_group import Entry

PLAY = Entry(
    "play",
    "endeavor_env.agents.play.__main__",
    "Play in the browser, alone or against agents.",
    ("play --seats human greedy greedy", "play human --variant solo", "play human value value value --seed 7"),
    extra="play",
    words=seat_names,
)
WATCH = Entry(
    "watch",
    "endeavor_env.cli.watch",
    "Watch agents play a game in the terminal.",
    (
        "watch greedy random random random --delay 0.2",
        "watch --variant solo --seats value --every move",
        "watch --seed 7 --text > game.txt",
        "watch greedy value greedy --browser --notes-by policy",
        "watch greedy planner value --game merchants --browser",
    ),
    words=agent_names,
)
REPLAY = Entry(
    "replay",
    "endeavor_env.cli.replay",
    "Make a page or pictures of a recorded game.",
    (
        "replay game.json -o game.html --theme dark",
        "replay game.json --notes-by search:sims=50",
        "replay game.json --svg position.svg --move 60",
        "replay game.json --gif game.gif --every round",
    ),
)
PICTURE = Entry(
    "picture",
    "endeavor_env.cli.picture",
    "Play a game of agents and draw it.",
    (
        "picture -o game.svg",
        "picture -o game.html --seats value greedy greedy --seed 7",
        "picture -o solo.gif --variant solo --every round",
        "picture --exploits random --move 60 --targets --open",
        "picture -o game.png --names Ada,Ben,Cleo,Dan",
        "picture -o merchants.html --game merchants:variant=expert",
        "picture -o merchants.svg --game merchants --move 40 --targets",
    ),
    words=agent_names,
)
ARENA = Entry(
    "arena",
    "endeavor_env.agents.arena",
    "Play agents against each other: win rates, tournaments.",
    (
        "arena greedy random random random --games 400",
        "arena automa greedy --variant soloplay_2 --games 200",
        "arena --round-robin random automa greedy --games 24",
        "arena greedy planner random --game merchants:players=3 --games 300",
    ),
    words=agent_names,
)
SOLO = Entry(
    "solo",
    "endeavor_env.agents.solo_match",
    "Play many solitaire games with each agent: win rates.",
    ("solo random greedy automa --games 400", "solo greedy --difficulty harder --json solo.json"),
    words=agent_names,
)
WORDS = Entry(
    "words",
    "endeavor_env.agents.words.__main__",
    "Let a language model play against agents, in words.",
    (
        "words greedy greedy greedy --model my-model --base-url http://localhost:8000/v1",
        "words --variant solo --model my-model --games 10 --set temperature=0 --out solo.jsonl",
    ),
    words=agent_names,
)
EVALUATE = Entry(
    "evaluate",
    "endeavor_env.training.evaluate",
    "Measure a trained policy against reference opponents.",
    ("evaluate runs/quick/policy.zip --games 240",),
    extra="train",
)
MCP = Entry(
    "mcp",
    "endeavor_env.agents.mcp.__main__",
    "Let a chat program play, over the Model Context Protocol.",
    ("mcp", "mcp --port 8000"),
    extra="mcp",
)
PERFT = Entry(
    "perft",
    "endeavor_env.cli.perft",
    "Count the sequences of legal moves from a position.",
    (
        "perft --depth 5 --seed 7",
        "perft game.json --move 60 --depth 3 --divide",
        "perft --depth 6 --json counts.json",
        "perft --game merchants:players=3 --depth 5",
    ),
)
DATASETS = Entry(
    "datasets",
    "endeavor_env.training.dataset.__main__",
    "Write games of agents as data for learning.",
    (
        "datasets greedy greedy greedy --games 300 --out data",
        "datasets value --variant solo --out solo-data --json card.json",
        "datasets greedy greedy planner --game merchants --out merchants",
    ),
    extra="data",
    words=agent_names,
)
CORPUS = Entry(
    "corpus",
    "endeavor_env.training.dataset.corpus",
    "Make the published games of strong and mixed agents.",
    (
        "corpus --out runs/corpus",
        "corpus --out runs/corpus --games 2000 --as records --as trajectories",
        "corpus --out runs/corpus --part table-4-strong --minari endeavor",
    ),
)
DEMO = Entry(
    "demo",
    "endeavor_env.cli.demo",
    "Take a one-minute tour.",
    ("demo", "demo --out demo --seconds 30", "demo --open"),
)
DOCTOR = Entry(
    "doctor",
    "endeavor_env.cli.doctor",
    "Check the installation, and say what to do next.",
    ("doctor", "doctor --json -"),
)
COMPILE = Entry(
    "compile",
    "endeavor_env.cli.compile",
    "Compile everything now, so that nothing has to wait later.",
    ("compile",),
)
SINGLE = (
    PLAY, WATCH, REPLAY, PICTURE, ARENA, SOLO, WORDS, EVALUATE, MCP, PERFT, DATASETS, CORPUS, DEMO, DOCTOR, COMPILE
)  # fmt: skip

TRAIN = (
    Entry(
        "td",
        "endeavor_env.training.td.__main__",
        "Train a value network by self-play.",
        ("train td --preset quick", "train td --resume runs/td-quick", "train td --preset quick --variant solo"),
    ),
    Entry(
        "ppo",
        "endeavor_env.training.ppo.__main__",
        "Train a policy network by MaskablePPO.",
        (
            "train ppo --preset quick",
            "train ppo --from value",
            "train ppo --resume runs/quick",
            "train ppo --game merchants",
        ),
        extra="train",
    ),
    Entry(
        "clone",
        "endeavor_env.training.clone.__main__",
        "Train a policy network that plays like another player.",
        ("train clone --from value", "train clone --from greedy --variant solo"),
        extra="train",
        words=agent_names,
    ),
    Entry(
        "exploit",
        "endeavor_env.training.exploit",
        "Train an opponent that studies one agent.",
        ("train exploit value --preset quick",),
        words=agent_names,
    ),
    Entry(
        "ensemble",
        "endeavor_env.training.ensemble",
        "Write one value network with the mean value of several.",
        ("train ensemble runs/a/value.npz runs/b/value.npz --out runs/both.npz",),
    ),
    Entry(
        "match",
        "endeavor_env.training.match",
        "Play thousands of games between compiled players.",
        (
            "train match value greedy",
            "train match lookahead --variant solo --games 400",
            "train match search:sims=4 --players 4",
        ),
        words=agent_names,
    ),
    Entry(
        "reference",
        "endeavor_env.training.reference.__main__",
        "Train one method under a budget of time or decisions.",
        (
            "train reference td --out runs/td-0",
            "train reference maskable-ppo --track decisions-1m --seed 3 --out runs/ppo-3",
        ),
        extra="train",
    ),
    Entry(
        "export",
        "endeavor_env.training.export",
        "Write the network of a checkpoint to play without PyTorch.",
        ("train export runs/quick/policy.zip",),
        extra="train",
    ),
)

BENCH = (
    Entry(
        "run",
        "endeavor_env.bench.run",
        "Play tasks of the frozen benchmark.",
        (
            "bench run --agent greedy --task table-4",
            "bench run --agent value:runs/td-quick/value.npz --task all --out value.jsonl --about about.toml",
        ),
        words=agent_names,
    ),
    Entry(
        "score",
        "endeavor_env.bench.score",
        "Print scores with intervals, and write a row.",
        ("bench score value.jsonl --row value.json", "bench score bench/rows/ppo-0.json bench/rows/ppo-1.json"),
    ),
    Entry(
        "verify",
        "endeavor_env.bench.verify",
        "Verify a row.",
        ("bench verify value.json", "bench verify value.json --games 20 --agent value:value.npz"),
    ),
    Entry("tasks", "endeavor_env.bench.tasks", "List the tasks.", ("bench tasks", "bench tasks --check")),
    Entry(
        "speed",
        "endeavor_env.benchmarks.run",
        "Measure every speed, in about eight minutes.",
        ("bench speed --json run.json", "bench speed --only core vector"),
    ),
    Entry(
        "core",
        "endeavor_env.benchmarks.run:core_app",
        "Measure the rules alone.",
        ("bench core --smoke", "bench core --json core.json"),
    ),
    Entry(
        "merchants",
        "endeavor_env.benchmarks.run:merchants_app",
        "Measure the rules of Merchants of Europe.",
        ("bench merchants --smoke",),
    ),
    Entry(
        "envs",
        "endeavor_env.benchmarks.run:envs_app",
        "Measure environments of one game.",
        ("bench envs --smoke",),
    ),
    Entry(
        "memory",
        "endeavor_env.benchmarks.run:memory_app",
        "Measure the memory of many games.",
        ("bench memory --smoke",),
    ),
    Entry(
        "workers",
        "endeavor_env.benchmarks.processes",
        "Measure the memory of many processes that play.",
        ("bench workers --workers 8", "bench workers --json workers.json"),
    ),
    Entry(
        "soak",
        "endeavor_env.benchmarks.soak",
        "Play random games and check every invariant.",
        ("bench soak --games 10000", "bench soak --games 1000 --agents greedy"),
    ),
)

BOARD = (
    Entry(
        "check",
        "endeavor_env.cli.board:check_app",
        "List the faults of a board file.",
        ("board check my_board.toml", "board check my_board.toml --json faults.json"),
    ),
    Entry(
        "new",
        "endeavor_env.cli.board:new_app",
        "Write a board file: a copy to correct, or a random board.",
        ("board new my_board.toml", "board new random.toml --seed 7"),
    ),
    Entry(
        "show",
        "endeavor_env.cli.board:show_app",
        "Show what is on a board, and draw it.",
        ("board show", "board show generated_7 -o board.svg"),
        words=board_names,
    ),
)
GROUPS = {
    "train": ("Train networks and weights, and measure them.", TRAIN),
    "bench": ("The frozen benchmark; measures of speed and memory.", BENCH),
    "board": ("Check, write and show boards.", BOARD),
}
