/** What tests let the engine do, the same in node and in a browser; jobs and results are JSON. */

/** Return the SHA-256 of bytes in hex. */
async function digestOf(chunks) {
  const size = chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0);
  const all = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    all.set(new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength), at);
    at += chunk.byteLength;
  }
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", all));
  return [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

const JOBS = {
  /** Play moves by their names; digests of states, legal ids and observations, and what is said of the end. */
  async moves({ engine }, { game: given, moves }) {
    const game = engine.newGame(given);
    const states = [game.state];
    const legal = [];
    const seen = [];
    const scores = [game.scores()];
    for (const move of moves) {
      legal.push(Int16Array.from(game.legal()));
      for (let seat = 0; seat < game.players; seat++) {
        seen.push(game.observation("features", seat), game.observation("compact", seat));
      }
      game.play(move);
      states.push(game.state);
      scores.push(game.scores());
    }
    return {
      states: await digestOf(states),
      legal: await digestOf(legal),
      seen: await digestOf(seen),
      scores,
      over: game.isOver,
      winners: game.winners(),
      record: game.recordText(),
    };
  },

  /** Play games of random moves from seeds; the digest of all states, and the decisions. */
  async random({ engine, Random }, { game: given, games }) {
    const states = [];
    let decisions = 0;
    for (let seed = 0; seed < games; seed++) {
      const game = engine.newGame({ ...given, seed });
      const random = new Random(seed + 1);
      states.push(game.state);
      while (!game.isOver) {
        game.apply(game.choose("random", random));
        states.push(game.state);
        decisions += 1;
      }
    }
    return { states: await digestOf(states), decisions };
  },

  /** Play games of a player against itself from seeds; the ids of the moves of each. */
  async player({ engine, Random }, { game: given, player, seeds }) {
    const games = [];
    for (const seed of seeds) {
      const game = engine.newGame({ ...given, seed });
      await engine.loadPlayer(player, game.variant);
      const random = new Random(seed);
      while (!game.isOver) {
        game.apply(game.choose(player, random));
      }
      games.push({ moves: game.history.map(([, id]) => id), scores: game.scores() });
    }
    return games;
  },

  /** Evaluate expressions about `engine`, `game` and `Random`; what each throws, and whether the game is as before. */
  async errors({ engine, Random }, { game: given, expressions }) {
    const game = engine.newGame(given);
    const before = game.recordText();
    const found = [];
    for (const expression of expressions) {
      try {
        const value = await new Function("engine", "game", "Random", `return ${expression}`)(engine, game, Random);
        found.push(`no error: ${value}`);
      } catch (error) {
        found.push(`${error.name}: ${error.message}`);
      }
    }
    return { found, unchanged: before === game.recordText() };
  },

  /** Evaluate an expression about `engine` and `Random`. */
  async value({ engine, Random }, { expression }) {
    return await new Function("engine", "Random", `return (async () => ${expression})()`)(engine, Random);
  },
};

/** Do jobs with the engine in a folder, and with the boards that they name; return their results. */
export async function run(folder, jobs) {
  const { Engine, Random } = await import(`${folder}endeavor.js`);
  const engine = await Engine.load(folder);
  const results = [];
  for (const job of jobs) {
    await engine.loadBoard(job.game?.board ?? "endeavor_2009");
    results.push(await JOBS[job.what]({ engine, Random }, job));
  }
  return results;
}
