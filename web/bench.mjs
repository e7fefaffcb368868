// node web/bench.mjs [FOLDER]: how long the engine takes, in CPU time of the process.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const given = process.argv[2];
const folder = given === undefined ? new URL("dist", import.meta.url).href : pathToFileURL(given).href;
const { Engine, Random } = await import(`${folder}/endeavor.js`);
const GAMES = 20;

/** Return the milliseconds of CPU time that the process has used. */
function used() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

const code = readFileSync(new URL(`${folder}/endeavor.wasm`));
let start = performance.now();
await WebAssembly.instantiate(code, { env: { log: Math.log, exp: Math.exp } });
const instantiated = performance.now() - start;
start = performance.now();
const engine = await Engine.load(folder);
const loaded = performance.now() - start;
engine.newGame({ seed: 1 }).playout(new Random(1));
console.log(`${code.length} bytes; instantiated in ${instantiated.toFixed(1)} ms, loaded in ${loaded.toFixed(1)} ms`);
console.log(`first game over after ${(performance.now() - start).toFixed(1)} ms`);
for (const player of ["random", "greedy", "value", "policy"]) {
  await engine.loadPlayer(player, "standard");
  const times = [];
  for (let round = 0; round < 3; round++) {
    const random = new Random(1);
    let decisions = 0;
    const begun = used();
    for (let seed = 0; seed < GAMES; seed++) {
      const game = engine.newGame({ seed });
      while (!game.isOver) {
        game.apply(game.choose(player, random));
        decisions += 1;
      }
    }
    times.push((1000 * (used() - begun)) / decisions);
  }
  console.log(`${player}: ${times.map((one) => one.toFixed(1)).join(", ")} microseconds a decision with its move`);
}
const game = engine.newGame({ seed: 1 });
for (let round = 0; round < 3; round++) {
  const random = new Random(1);
  let decisions = 0;
  const begun = used();
  for (let count = 0; count < 20000; count++) {
    decisions += game.playout(random).decisions;
  }
  console.log(`playouts: ${Math.round(decisions / (used() - begun))} thousand decisions a second`);
}
