/** One game. */

import { isWhole, shown } from "./errors.js";
import { Random } from "./random.js";
import { Fields, setupInWords } from "./setup.js";

const NOT_LEGAL = -2;
const MOST_SHOWN = 12;
const RANDOM = "random";

export class Game {
  #engine;
  #machine;
  #board;
  #variant;
  #state;
  #setup;
  #history;
  #random;

  /** Wrap a position; `engine.newGame` begins a game. */
  constructor(engine, machine, board, variant, state, setup, seed, history = []) {
    this.#engine = engine;
    this.#machine = machine;
    this.#board = board;
    this.#variant = variant;
    this.#state = state;
    this.#setup = setup;
    this.#history = history;
    this.#random = null;
    this.seed = seed;
  }

  get board() {
    return this.#board;
  }

  get variant() {
    return this.#variant.name;
  }

  get players() {
    return this.#field("num_seats");
  }

  get exploits() {
    const bits = this.#field("exploits");
    return this.#machine.data.exploits.filter((_, exploit) => bits & (1 << exploit));
  }

  get options() {
    const own = this.#machine.data.options.filter((one) => one.variants.includes(this.variant));
    return Object.fromEntries(own.map((one) => [one.name, one.values[this.#field(one.field)]]));
  }

  get seat() {
    return this.#field("seat");
  }

  get round() {
    return this.#field("round_number");
  }

  get phase() {
    return this.#machine.data.phases[this.#field("phase")];
  }

  get decision() {
    return this.#machine.data.decisions[this.#field("decision")];
  }

  get isOver() {
    return this.seat < 0;
  }

  get history() {
    return this.#history.map((move) => [...move]);
  }

  get state() {
    return this.#state.slice();
  }

  legal() {
    const { at, data } = this.#machine;
    this.#show();
    const count = this.#machine.rule("legal_ids", this.#machine.boardAt, 1, at.state, 1, at.ids, data.sizes.ids);
    return [...new Int16Array(this.#machine.take(at.ids, 2 * count).buffer)];
  }

  apply(id) {
    if (!isWhole(id)) {
      throw new TypeError(`action ${shown(id)} is no action id: ${this.#idsText()}`);
    }
    if (this.isOver) {
      throw new RangeError(`action ${id} is not possible: the game is over, start another with newGame`);
    }
    if (id < 0 || id >= this.#variant.actions) {
      throw new RangeError(`action ${id} is no action id: ${this.#idsText()}`);
    }
    this.#show();
    const { at } = this.#machine;
    const seat = this.#machine.rule("play", this.#machine.boardAt, 1, at.state, 1, id);
    if (seat === NOT_LEGAL) {
      const name = this.#nameOf(id);
      const move = name === null ? `no move on board ${this.#board.id}` : name;
      throw new RangeError(`action ${id} (${move}) is illegal for seat ${this.seat}; ${this.#legalText()}`);
    }
    this.#state = this.#machine.take(at.state, this.#state.length);
    this.#history.push([seat, id]);
  }

  play(name) {
    this.apply(this.parse(name));
  }

  name(id) {
    const name = isWhole(id) ? this.#nameOf(id) : null;
    if (name === null) {
      throw new RangeError(`action ${shown(id)} names no move on board ${this.#board.id}: ${this.#idsText()}`);
    }
    return name;
  }

  names() {
    return this.legal().map((id) => this.#board.names[id]);
  }

  parse(name) {
    const id = typeof name === "string" ? this.#board.ids.get(name) : undefined;
    if (id === undefined || this.#nameOf(id) === null) {
      throw new RangeError(
        `${shown(name)} is no move of variant ${this.variant} on board ${this.#board.id}: moves are written ` +
          "<verb> or <verb>:<target>, and names() lists the legal ones",
      );
    }
    return id;
  }

  scores() {
    return this.#glory().map((row) => row.reduce((sum, glory) => sum + glory, 0));
  }

  breakdown(who) {
    const scorers = this.#scorers();
    const row = scorers.indexOf(who);
    if (row < 0) {
      throw new RangeError(`seat ${shown(who)} is not at the table: there are ${scorers.map(shown).join(", ")}`);
    }
    const glory = this.#glory()[row];
    return Object.fromEntries(this.#variant.breakdown.map(([key, column]) => [key, glory[column]]));
  }

  winners() {
    const scores = this.scores();
    if (this.variant === "solo") {
      return scores[0] >= scores[1] ? [0] : [];
    }
    const most = Math.max(...scores);
    return scores.flatMap((score, seat) => (score === most ? [seat] : []));
  }

  score() {
    const breakdown = this.#scorers().map((who) => this.breakdown(who));
    return { scores: this.scores(), breakdown, winners: this.winners() };
  }

  observation(layout = "features", seat = this.isOver ? 0 : this.seat) {
    const known = this.#variant.observations;
    if (typeof layout !== "string" || !Object.hasOwn(known, layout)) {
      throw new RangeError(`layout ${shown(layout)} is unknown: there are ${Object.keys(known).join(", ")}`);
    }
    if (!isWhole(seat) || seat < 0 || seat >= this.players) {
      throw new RangeError(`seat ${shown(seat)} is not at the table: seats are 0 to ${this.players - 1}`);
    }
    this.#show();
    const { at, boardAt } = this.#machine;
    const { size, dtype } = known[layout];
    this.#machine.rule(`observe_${layout}`, boardAt, 1, at.state, 1, seat, at.seen, size);
    const bytes = this.#machine.take(at.seen, dtype === "float32" ? 4 * size : size);
    return dtype === "float32" ? new Float32Array(bytes.buffer) : new Int8Array(bytes.buffer);
  }

  choose(player, random) {
    if (random !== undefined && !(random instanceof Random)) {
      throw new TypeError(`random ${shown(random)} is not possible: give a Random, or leave it out`);
    }
    const memory = player === RANDOM ? null : this.#engine.memoryOf(player, this.variant);
    if (this.isOver) {
      throw new RangeError(`${player} cannot choose: the game is over, start another with newGame`);
    }
    this.#random ??= this.#engine.newRandom();
    return (random ?? this.#random).lend(this.#machine, () => this.#choice(player, memory));
  }

  #choice(player, memory) {
    const { at, boardAt } = this.#machine;
    const actions = this.#variant.actions;
    this.#show();
    this.#machine.rule("legal", boardAt, 1, at.state, 1, at.mask, actions);
    if (memory === null) {
      return this.#machine.rule("choose", at.mask, actions, at.random, 1);
    }
    if (memory.game !== this) {
      this.#engine.forgetPlan(memory); // the plan of another game, perhaps on another board
      memory.game = this;
    }
    return this.#machine.player(player, memory, actions);
  }

  playout(random = this.#engine.newRandom()) {
    if (!(random instanceof Random)) {
      throw new TypeError(`random ${shown(random)} is not possible: give a Random, or leave it out`);
    }
    const { at, boardAt } = this.#machine;
    this.#show();
    const decisions = random.lend(this.#machine, () =>
      this.#machine.rule("play_random", boardAt, 1, at.state, 1, at.random, 1, -1, 2 ** 40),
    );
    const state = this.#machine.take(at.state, this.#state.length);
    const end = new Game(this.#engine, this.#machine, this.#board, this.#variant, state, this.#setup, this.seed);
    return { decisions, state, scores: end.scores(), winners: end.winners() };
  }

  clone() {
    return new Game(
      this.#engine,
      this.#machine,
      this.#board,
      this.#variant,
      this.#state.slice(),
      this.#setup,
      this.seed,
      this.history,
    );
  }

  setup() {
    return setupInWords(this.#machine.data, this.#board, this.variant, this.#setup);
  }

  record() {
    const { data } = this.#machine;
    const record = {
      format: data.record,
      board: this.#board.id,
      players: this.players,
      variant: this.variant === "exploits" ? "standard" : this.variant,
      exploits: this.exploits,
      options: Object.fromEntries(
        Object.entries(this.options).filter(([name, value]) => {
          return value !== data.options.find((one) => one.name === name).values[0];
        }),
      ),
      seed: this.seed,
      setup: this.setup(),
      moves: this.#history.map(([seat, id]) => [seat, this.#board.names[id]]),
    };
    if (this.isOver) {
      const { scores, breakdown } = this.score();
      record.result = { scores, breakdown };
    }
    return record;
  }

  recordText() {
    const ascii = (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`;
    return `${JSON.stringify(this.record(), null, 1).replace(/[\u007f-\uffff]/g, ascii)}\n`;
  }

  /** Let the kernels see the position and its board. */
  #show() {
    this.#machine.useBoard(this.#board);
    this.#machine.put(this.#machine.at.state, this.#state);
  }

  #field(name) {
    return new Fields(this.#machine.data.state, this.#state).get(name);
  }

  #scorers() {
    return this.variant === "solo" ? [0, this.#machine.data.opposition] : [...Array(this.players).keys()];
  }

  /** Return the Glory of each scorer by source. */
  #glory() {
    const { at, boardAt, data } = this.#machine;
    const { seats, parts } = data.sizes;
    this.#show();
    this.#machine.rule("scores", boardAt, 1, at.state, 1, at.scores, seats, parts);
    const all = new Int16Array(this.#machine.take(at.scores, 2 * seats * parts).buffer);
    return this.#scorers().map((_, row) => [...all.subarray(row * parts, (row + 1) * parts)]);
  }

  /** Return the name of an action id of the variant; null for an id that names no move on this board. */
  #nameOf(id) {
    const has = this.#variant.blocks.some(([from, end]) => from <= id && id < end);
    return has ? this.#board.names[id] : null;
  }

  #idsText() {
    return `those are whole numbers 0 to ${this.#variant.actions - 1}; ${this.#legalText()}`;
  }

  #legalText() {
    if (this.isOver) {
      return "the game is over";
    }
    const names = this.names();
    const first = names.slice(0, MOST_SHOWN).join(", ") + (names.length > MOST_SHOWN ? " ..." : "");
    return `decision "${this.decision}" of seat ${this.seat} has ${names.length} legal move${names.length === 1 ? "" : "s"}: ${first}`;
  }
}
