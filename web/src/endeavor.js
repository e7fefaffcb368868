/** The engine of Endeavor for browsers and node: rules, observations and players in WebAssembly. Types: endeavor.d.ts. */

import { checkNames, isObject, shown } from "./errors.js";
import { Game } from "./game.js";
import { Machine, bytesOf } from "./machine.js";
import { checkExploits, checkOptions, checkPlayers, checkSeed, variantOf } from "./options.js";
import { Random } from "./random.js";
import { Fields, readSetup } from "./setup.js";

export { Game, Random };

const FORMAT = "endeavor-web/1";
const BOARD_FORMAT = "endeavor-web-board/1";
const DEFAULT_BOARD = "endeavor_2009";
const GIVEN = ["variant", "players", "exploits", "seed", "board", "options", "setup"];
const RANDOM = "random";

/** Return the bytes of a file; node reads files by itself, which `fetch` does not do there. */
async function read(url) {
  if (url.protocol === "file:" && typeof process !== "undefined") {
    const files = await import("node:fs/promises");
    return new Uint8Array(await files.readFile(url));
  }
  const answer = await fetch(url);
  if (!answer.ok) {
    throw new Error(`${url} cannot be read: the server answers ${answer.status}`);
  }
  return new Uint8Array(await answer.arrayBuffer());
}

/** Return the bytes of a gzip file, unpacked; a server may have let the browser unpack it on the way. */
async function readGzip(url) {
  const content = await read(url);
  if (content[0] !== 0x1f || content[1] !== 0x8b) {
    return content;
  }
  const unpacked = new Blob([content]).stream().pipeThrough(new DecompressionStream("gzip"));
  try {
    return new Uint8Array(await new Response(unpacked).arrayBuffer());
  } catch (error) {
    throw new Error(`${url} is damaged: it cannot be unpacked`, { cause: error });
  }
}

async function readJson(url) {
  return JSON.parse(new TextDecoder().decode(await read(url)));
}

export class Engine {
  #machine;
  #folder;
  #boards = new Map();

  constructor(machine, folder) {
    this.#machine = machine;
    this.#folder = folder;
    const { memory, size } = machine.data.players.greedy;
    machine.remember("greedy", bytesOf(memory), size);
  }

  static async load(folder = new URL(".", import.meta.url)) {
    const base = new URL(String(folder).replace(/\/?$/, "/"), globalThis.document?.baseURI ?? import.meta.url);
    const [code, data] = await Promise.all([
      read(new URL("endeavor.wasm", base)),
      readJson(new URL("endeavor.json", base)),
    ]);
    if (data.format !== FORMAT) {
      throw new RangeError(`endeavor.json has the format ${shown(data.format)}: this module reads "${FORMAT}"`);
    }
    const { instance } = await WebAssembly.instantiate(code, { env: { log: Math.log, exp: Math.exp } });
    const engine = new Engine(new Machine(instance, data), base);
    await engine.loadBoard(DEFAULT_BOARD);
    return engine;
  }

  get version() {
    return this.#machine.data.version;
  }

  get variants() {
    return this.#machine.data.variants.map((one) => one.name);
  }

  get exploits() {
    return [...this.#machine.data.exploits];
  }

  get boards() {
    return [...this.#boards.keys()];
  }

  get playerNames() {
    return [RANDOM, ...Object.keys(this.#machine.data.players)];
  }

  async loadBoard(board) {
    if (typeof board === "string" && this.#boards.has(board)) {
      return;
    }
    if (typeof board === "string" && !/^\w+$/.test(board)) {
      throw new RangeError(`board ${shown(board)} is not possible: give the id of a board, or its data`);
    }
    const data = typeof board === "string" ? await readJson(new URL(`${board}.board.json`, this.#folder)) : board;
    if (!isObject(data) || data.format !== BOARD_FORMAT) {
      throw new RangeError(`board ${shown(data)} is not possible: its format must be "${BOARD_FORMAT}"`);
    }
    const ids = new Map(data.names.flatMap((name, id) => (name === null ? [] : [[name, id]])));
    this.#boards.set(data.id, { ...data, bytes: bytesOf(data.array), ids });
  }

  async loadPlayer(player, variant) {
    const file = this.#networkOf(player, variantOf(this.#machine.data, variant).name);
    if (file !== null && !this.#machine.memories.has(file)) {
      const content = await readGzip(new URL(`${file}.network`, this.#folder));
      if (!this.#machine.memories.has(file)) {
        this.#machine.remember(file, content);
      }
    }
  }

  newRandom(seed) {
    return new Random(checkSeed(seed));
  }

  newGame(given = {}) {
    checkNames(given, GIVEN, "the arguments of newGame");
    const { data } = this.#machine;
    const asked = variantOf(data, given.variant ?? "standard");
    const players = checkPlayers(data, given.players, asked);
    const seed = given.setup === undefined ? checkSeed(given.seed) : given.seed === null ? null : this.#seedOf(given);
    const [exploits, name] = checkExploits(data, given.exploits, asked.name);
    const variant = variantOf(data, name);
    const options = checkOptions(data, given.options, name);
    const board = this.#boardFor(given.board ?? DEFAULT_BOARD, name);
    const setup = bytesOf(data.empty_setup);
    if (given.setup === undefined) {
      this.#draw(board, players, seed, variant, exploits, setup);
    } else {
      readSetup(data, board, players, name, exploits, given.setup, setup);
    }
    return new Game(this, this.#machine, board, variant, this.#begin(board, players, variant, options, setup), setup, seed);
  }

  /** Return the memory of a player in a variant; throw for one that there is not, or that is not loaded. */
  memoryOf(player, variant) {
    const file = this.#networkOf(player, variant);
    const memory = this.#machine.memories.get(file ?? player);
    if (memory === undefined) {
      const call = `loadPlayer(${shown(player)}, ${shown(variant)})`;
      throw new RangeError(`player ${shown(player)} is not loaded for variant ${shown(variant)}: await ${call} first`);
    }
    return memory;
  }

  /** Let a player forget the rest of the turn that it chose. */
  forgetPlan(memory) {
    const at = this.#machine.data.plan_length;
    if (memory !== this.#machine.memories.get("greedy")) {
      this.#machine.bytes(memory.at + at, 8).fill(0);
    }
  }

  #seedOf(given) {
    return given.seed === undefined ? null : checkSeed(given.seed);
  }

  /** Return the name of the file with the network of a player; null for one without. */
  #networkOf(player, variant) {
    const known = this.#machine.data.players;
    if (player === RANDOM || player === "greedy") {
      return null;
    }
    if (typeof player !== "string" || !Object.hasOwn(known, player)) {
      throw new RangeError(`player ${shown(player)} is unknown: possible are ${this.playerNames.join(", ")}`);
    }
    const file = known[player].networks[variant];
    if (file === undefined) {
      const plays = Object.keys(known[player].networks).join(", ");
      throw new RangeError(`player ${shown(player)} does not play ${shown(variant)}: it was made for ${plays}`);
    }
    return file;
  }

  #boardFor(id, variant) {
    const board = typeof id === "string" ? this.#boards.get(id) : undefined;
    if (board === undefined) {
      const known = this.boards.join(", ");
      throw new RangeError(`board ${shown(id)} is not loaded: there are ${known}; await loadBoard(...) loads others`);
    }
    if (Object.hasOwn(board.faults, variant)) {
      throw new RangeError(board.faults[variant]);
    }
    return board;
  }

  #draw(board, players, seed, variant, exploits, setup) {
    const machine = this.#machine;
    const { at } = machine;
    machine.useBoard(board);
    machine.put(at.setup, setup);
    new Random(seed).lend(machine, () =>
      machine.rule("random_setup", machine.boardAt, 1, at.random, 1, players, variant.code, at.setup, 1),
    );
    setup.set(machine.bytes(at.setup, setup.length));
    if (exploits !== null) {
      new Fields(machine.data.setup, setup).set("exploits", 0, exploits);
    }
  }

  /** Return the position at the first decision of a game. */
  #begin(board, players, variant, options, setup) {
    const machine = this.#machine;
    const { at, data } = machine;
    const size = data.sizes.state;
    machine.useBoard(board);
    machine.put(at.setup, setup);
    machine.put(at.options, options);
    machine.bytes(at.state, size).fill(0);
    const numbers = [players, variant.code, at.options, data.num_options, at.setup, 1];
    machine.rule("new_game", machine.boardAt, 1, at.state, 1, ...numbers);
    return machine.take(at.state, size);
  }
}
