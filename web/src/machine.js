/** The compiled rules and players, and the memory in which they find positions. */

const PREFIX = "endeavor_endeavor_";
const ROUND = 64;
const WORDS = 16;
const FAILED = -1n;

export class Machine {
  /** Take an instance of the module and the data of `endeavor.json`. */
  constructor(instance, data) {
    this.data = data;
    this.code = instance.exports;
    this.end = Math.ceil(this.code.__heap_base.value / ROUND) * ROUND;
    this.at = {
      words: this.place(8 * WORDS),
      state: this.place(data.sizes.state),
      setup: this.place(bytesOf(data.empty_setup).length),
      options: this.place(2 * data.num_options),
      random: this.place(8),
      mask: this.place(data.sizes.ids),
      ids: this.place(2 * data.sizes.ids),
      scores: this.place(2 * data.sizes.seats * data.sizes.parts),
      seen: this.place(4 * Math.max(...data.variants.map((one) => one.observations.features.size))),
    };
    this.board = null;
    this.boardAt = 0;
    this.memories = new Map();
  }

  /** Return the place of new memory, which nobody gives back. */
  place(size) {
    const at = this.end;
    this.end += Math.ceil(size / ROUND) * ROUND;
    const missing = this.end - this.code.memory.buffer.byteLength;
    if (missing > 0) {
      this.code.memory.grow(Math.ceil(missing / 65536));
    }
    return at;
  }

  /** Return the memory as bytes; growing makes another buffer of it. */
  bytes(at, size) {
    return new Uint8Array(this.code.memory.buffer, at, size);
  }

  /** Copy bytes to a place. */
  put(at, content) {
    this.bytes(at, content.byteLength).set(new Uint8Array(content.buffer, content.byteOffset, content.byteLength));
  }

  /** Return a copy of the bytes at a place. */
  take(at, size) {
    return this.bytes(at, size).slice();
  }

  /** Let the kernels see a board. */
  useBoard(board) {
    if (this.board !== board) {
      this.boardAt ||= this.place(board.bytes.length);
      this.put(this.boardAt, board.bytes);
      this.board = board;
    }
  }

  /** Call an entry of the rules with words; return its result as a number. */
  rule(name, ...words) {
    const given = new BigInt64Array(this.code.memory.buffer, this.at.words, WORDS);
    words.forEach((word, place) => {
      given[place] = BigInt(word);
    });
    if (this.code[`${PREFIX}interface_entry_${name}_plain`](this.at.words) === FAILED) {
      throw new Error(`${name} failed: this is a fault of the engine`);
    }
    return Number(given[0]);
  }

  /** Call a player for the position and the mask that are in the memory; return the action id. */
  player(name, memory, numActions) {
    const choose = this.code[`${PREFIX}players_${name}_player_${name}_entry`];
    const { state, mask, random } = this.at;
    return Number(choose(this.boardAt, state, mask, BigInt(numActions), memory.at, BigInt(memory.size), random));
  }

  /** Give a player memory with these contents, under a name. */
  remember(name, content, size = content.length) {
    const memory = { at: this.place(size), size, game: null };
    this.put(memory.at, content);
    this.memories.set(name, memory);
  }
}

/** Return the bytes of a text in base64. */
export function bytesOf(text) {
  return Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
}
