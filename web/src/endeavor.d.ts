/** The engine of Endeavor for browsers and node: rules, observations and players in WebAssembly. */

export type Variant = "standard" | "solo" | "soloplay_2" | "soloplay_3" | "neutral_2" | "exploits";
export type PlayerName = "random" | "greedy" | "value" | "policy";
export type Layout = "features" | "compact";
/** A seat, or the other side of a solitaire game. */
export type Scorer = number | "opposition";

/** Options of the rules by name; each belongs to some variants, and has the first value if it is left out. */
export interface Options {
  /** solo: who decides when the rules of the Opposition leave a choice. */
  opposition_ties?: "player" | "first";
  /** solo. */
  difficulty?: "normal" | "easier" | "harder";
  /** solo: whether any level of the building grid may be built. */
  solo_ignore_industry?: boolean;
  /** soloplay_2, soloplay_3: whether a shipping space whose token was removed still takes a disc. */
  variant_removed_spaces_stay?: boolean;
  /** exploits: discs of each player. */
  exploit_discs?: 35 | 30;
  /** exploits: whether the card of value 1 of a region gives a disc. */
  value1_bonus?: boolean;
}

/** Every random outcome of a game, as in a game record. */
export interface Setup {
  /** The seat with the first-player marker in round 1. */
  first_player?: number;
  /** The kind of token on each space, by the id of the space. */
  tokens: Record<string, string>;
  /** solo: five rows of three building types, level 1 first. */
  grid?: string[][];
  /** solo: the colours of the action scale, each twice. */
  scale?: string[];
  /** solo: two colours for each overseas region, the one on space 1 first. */
  track_discs?: Record<string, string[]>;
  /** solo: the four colours. */
  europe_order?: string[];
}

export interface NewGame {
  /** "standard" if left out. */
  variant?: Variant;
  /** 3 to 5 in "standard" and "exploits", 4 if left out; the other variants have one number. */
  players?: number;
  /** Names of `engine.exploits`, or three drawn with the set-up. */
  exploits?: string[] | "random" | null;
  /** A whole number from 0 to 2**53 - 1, which gives the same game as in Python; a fresh one if left out. */
  seed?: number | null;
  /** The id of a loaded board; that of 2009 if left out. */
  board?: string;
  options?: Options | null;
  /** The set-up; then nothing is drawn, and `seed` is only written down. */
  setup?: Setup;
}

/** A game as JSON, which `endeavor replay` and `endeavor_env.endeavor.records.replay` read and check. */
export interface GameRecord {
  format: "endeavor-game/1";
  board: string;
  players: number;
  variant: string;
  exploits: string[];
  options: Options;
  seed: number | null;
  setup: Setup;
  moves: [seat: number, name: string][];
  /** Only of a game that is over. */
  result?: { scores: number[]; breakdown: Record<string, number>[] };
}

export interface Score {
  /** Glory of each seat, in "solo" of the player and the Opposition; before the end, as if the game ended now. */
  scores: number[];
  /** The same by source. */
  breakdown: Record<string, number>[];
  /** The seats with the most Glory; in "solo" seat 0 for a victory, none for a defeat. */
  winners: number[];
}

/** A board as `python -m endeavor_env.web.build_web --board` writes it. */
export interface BoardData {
  format: "endeavor-web-board/1";
  id: string;
  name: string;
  [field: string]: unknown;
}

/** Random numbers as the rules draw them. */
export class Random {
  /** @param seed A whole number from 0 to 2**53 - 1. Throws RangeError for anything else. */
  constructor(seed: number);
}

export class Engine {
  private constructor();
  /**
   * Load the module and the board of 2009.
   * @param folder The address where `endeavor.wasm` and the files beside it are; beside this module if left out. Relative
   * addresses count from the page, and in node from this module.
   */
  static load(folder?: string | URL): Promise<Engine>;
  /** The version of endeavor-env that it was made from. */
  readonly version: string;
  readonly variants: Variant[];
  /** The names of all Exploits. */
  readonly exploits: string[];
  /** The ids of the loaded boards. */
  readonly boards: string[];
  readonly playerNames: PlayerName[];
  /** Load `<id>.board.json` from the folder, or take the content of such a file. */
  loadBoard(board: string | BoardData): Promise<void>;
  /** Load the network of "value" or "policy" for a variant (0.8 to 2.8 MB); others need nothing. */
  loadPlayer(player: PlayerName, variant: Variant): Promise<void>;
  /** @param seed A whole number from 0 to 2**53 - 1; a fresh one if left out. */
  newRandom(seed?: number): Random;
  /** Begin a game. Throws TypeError or RangeError, a sentence, for what is not possible. */
  newGame(game?: NewGame): Game;
}

export class Game {
  private constructor();
  /** The seed of the set-up; null if the set-up was given. */
  readonly seed: number | null;
  readonly variant: Variant;
  /** The number of seats, 1 to 5. */
  readonly players: number;
  /** The names of the Exploits in play. */
  readonly exploits: string[];
  readonly options: Options;
  /** The seat that decides, -1 when the game is over. */
  readonly seat: number;
  /** 1 to 7; 0 while decisions of the set-up are made. */
  readonly round: number;
  readonly phase: "setup" | "build" | "growth" | "salary" | "action" | "over";
  /** What is decided: "build", "salary", "turn", "target" ... */
  readonly decision: string;
  readonly isOver: boolean;
  /** The moves made. */
  readonly history: [seat: number, id: number][];
  /** The position, the bytes of a state in Python. */
  readonly state: Uint8Array;
  /** The board with its names; not to be changed. */
  readonly board: BoardData;
  /** The ids of the legal moves, ascending; none when the game is over. */
  legal(): number[];
  /** The names of the legal moves, in the order of `legal()`. */
  names(): string[];
  /** Make a move. Throws and changes nothing if it is not legal. */
  apply(id: number): void;
  /** Make a move by its name, such as "occupy:london". */
  play(name: string): void;
  /** The name of a move, legal now or not. */
  name(id: number): string;
  /** The id of a move, legal now or not. */
  parse(name: string): number;
  score(): Score;
  scores(): number[];
  /** Glory by source. */
  breakdown(who: Scorer): Record<string, number>;
  winners(): number[];
  /**
   * What a seat sees, in the layouts of Python: "features" are float32 from -2 to 6, "compact" int8.
   * @param seat The seat that decides if left out, seat 0 when the game is over.
   */
  observation(layout?: "features", seat?: number): Float32Array;
  observation(layout: "compact", seat?: number): Int8Array;
  /**
   * The id of the move that a player chooses; the game stays as it is.
   * @param player "value" and "policy" must be loaded.
   * @param random What it draws from, "greedy" for ties alone; numbers of the game's own if left out.
   */
  choose(player: PlayerName, random?: Random): number;
  /** Play random moves to the end, in one call; the game stays as it is. */
  playout(random?: Random): { decisions: number; state: Uint8Array; scores: number[]; winners: number[] };
  /** An independent copy. */
  clone(): Game;
  setup(): Setup;
  record(): GameRecord;
  /** The record as Python writes it to a file, byte for byte. */
  recordText(): string;
}
