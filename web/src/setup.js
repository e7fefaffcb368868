/** Set-ups in words, as game records have them, and as the bytes that the rules take. */

import { isObject, isWhole, shown } from "./errors.js";

/** Reads and writes the fields of a record of bytes: `places` says for each where it begins, its kind and its length. */
export class Fields {
  constructor(places, bytes) {
    this.places = places;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get(name, index = 0) {
    const [at, kind] = this.places[name];
    return kind === "int8" ? this.view.getInt8(at + index) : this.view.getInt16(at + 2 * index, true);
  }

  set(name, index, value) {
    const [at, kind] = this.places[name];
    if (kind === "int8") {
      this.view.setInt8(at + index, value);
    } else {
      this.view.setInt16(at + 2 * index, value, true);
    }
  }

  list(name, from = 0, count = this.places[name][2]) {
    return Array.from({ length: count }, (_, index) => this.get(name, from + index));
  }

  setList(name, values, from = 0) {
    values.forEach((value, index) => this.set(name, from + index, value));
  }
}

const COLUMNS = 3;

/** Return a set-up in words, as `setup` of a game record. */
export function setupInWords(data, board, variant, bytes) {
  const drawn = new Fields(data.setup, bytes);
  const words = { first_player: drawn.get("first_player"), tokens: {} };
  for (const space of board.space_order) {
    words.tokens[space] = data.tokens[drawn.get("tokens", board.spaces.indexOf(space))];
  }
  if (variant === "solo") {
    const colours = (name, from, count) => drawn.list(name, from, count).map((side) => data.colours[side]);
    words.grid = board.levels.map((_, row) => drawn.list("grid", COLUMNS * row, COLUMNS).map((one) => board.buildings[one]));
    words.scale = colours("scale");
    words.track_discs = Object.fromEntries(
      board.overseas.map((region) => [board.regions[region], colours("track_discs", 2 * region, 2)]),
    );
    words.europe_order = colours("europe_order");
  }
  return words;
}

/** Check a set-up in words against board, players and variant, and write it to bytes, which hold an empty one. */
export function readSetup(data, board, players, variant, exploits, setup, bytes) {
  const solo = variant === "solo";
  const needed = solo ? ["tokens", "grid", "scale", "track_discs", "europe_order"] : ["first_player", "tokens"];
  const known = solo ? ["first_player", ...needed] : needed;
  const names = isObject(setup) ? Object.keys(setup) : [];
  if (!needed.every((name) => names.includes(name)) || !names.every((name) => known.includes(name))) {
    throw new RangeError(`setup ${shown(setup)} is not possible: a ${variant} game needs exactly ${needed.join(", ")}`);
  }
  if (exploits === null) {
    throw new RangeError("setup does not say which Exploits are in play: name them, exploits: [...]");
  }
  const drawn = new Fields(data.setup, bytes);
  const first = setup.first_player ?? 0;
  if (!isWhole(first) || first < 0 || first >= players) {
    throw new RangeError(`setup.first_player is ${shown(first)}: it must be a seat, 0 to ${players - 1}`);
  }
  drawn.set("first_player", 0, first);
  drawn.set("exploits", 0, exploits);
  readTokens(data, board, setup.tokens, drawn);
  if (solo) {
    checkStart(data, board, drawn);
    readGrid(board, setup.grid, drawn);
    drawn.setList("scale", sidesOf(data, "scale", setup.scale, 2));
    drawn.setList("europe_order", sidesOf(data, "europe_order", setup.europe_order, 1));
    readTrackDiscs(data, board, setup.track_discs, drawn);
  }
}

function readTokens(data, board, given, drawn) {
  const names = isObject(given) ? Object.keys(given) : [];
  const wrong =
    board.space_order.find((space) => !names.includes(space)) ?? names.find((name) => !board.space_order.includes(name));
  if (wrong !== undefined || !isObject(given)) {
    const count = board.space_order.length;
    const which = wrong === undefined ? "" : `; ${shown(wrong)} is missing or unknown`;
    throw new RangeError(`setup.tokens must name each of the ${count} spaces of board ${board.id} once${which}`);
  }
  const placed = data.tokens.map(() => 0);
  for (const [space, kind] of Object.entries(given)) {
    const token = data.tokens.indexOf(kind);
    if (token < 0) {
      throw new RangeError(`setup.tokens[${shown(space)}] is ${shown(kind)}: token kinds are ${data.tokens.join(", ")}`);
    }
    placed[token] += 1;
    drawn.set("tokens", board.spaces.indexOf(space), token);
  }
  const other = placed.findIndex((count, token) => count !== board.token_counts[token]);
  if (other >= 0) {
    throw new RangeError(
      `setup.tokens places ${placed[other]} ${data.tokens[other]} tokens: board ${board.id} has ` +
        `${board.token_counts[other]}`,
    );
  }
}

/** Check that the start region shows a token of each status and a blue one (S1.4). */
function checkStart(data, board, drawn) {
  const lying = board.start_cities.map((city) => drawn.get("tokens", data.city_spaces + city));
  const missing = data.statuses.filter((_, token) => !lying.includes(token));
  if (!lying.some((token) => token >= data.statuses.length)) {
    missing.push("blue");
  }
  if (missing.length) {
    throw new RangeError(
      `setup.tokens shows no ${missing.join(" and no ")} token in the cities of the start region: a solo game needs ` +
        "one of each status and a blue one there (S1.4)",
    );
  }
}

function readGrid(board, given, drawn) {
  board.levels.forEach((wanted, row) => {
    const names = Array.isArray(given) && given.length === board.levels.length ? given[row] : null;
    if (!Array.isArray(names) || shown([...names].sort()) !== shown([...wanted].sort())) {
      throw new RangeError(
        `setup.grid is ${shown(given)}: its row of level ${row + 1} must be ${wanted.join(", ")} in any order`,
      );
    }
    drawn.setList("grid", names.map((name) => board.buildings.indexOf(name)), COLUMNS * row);
  });
}

function sidesOf(data, field, given, each) {
  const colours = data.colours.slice(1);
  const sides = Array.isArray(given) ? given.map((colour) => data.colours.indexOf(colour)) : [];
  const even = colours.every((_, place) => sides.filter((side) => side === place + 1).length === each);
  if (sides.length !== each * colours.length || !even) {
    const times = each === 1 ? "once" : "twice";
    throw new RangeError(`setup.${field} is ${shown(given)}: it must be a list of ${colours.join(", ")}, each ${times}`);
  }
  return sides;
}

function readTrackDiscs(data, board, given, drawn) {
  const overseas = board.overseas.map((region) => board.regions[region]);
  const names = isObject(given) ? Object.keys(given) : [];
  if (names.length !== overseas.length || !overseas.every((region) => names.includes(region))) {
    throw new RangeError(`setup.track_discs is ${shown(given)}: it must map each of ${overseas.join(", ")} to two colours`);
  }
  const counts = data.colours.map(() => 0);
  const far = new Set();
  for (const [region, colours] of Object.entries(given)) {
    const sides = Array.isArray(colours) ? colours.map((colour) => data.colours.indexOf(colour)) : [];
    if (sides.length !== 2 || !sides.every((side) => side > 0)) {
      throw new RangeError(
        `setup.track_discs[${shown(region)}] is ${shown(colours)}: it must be two of ${data.colours.slice(1).join(", ")}`,
      );
    }
    sides.forEach((side) => (counts[side] += 1));
    far.add(sides[0]);
    drawn.setList("track_discs", sides, 2 * board.regions.indexOf(region));
  }
  data.colours.slice(1).forEach((colour, place) => {
    const each = (2 * overseas.length) / (data.colours.length - 1);
    if (counts[place + 1] !== Math.floor(each) || !far.has(place + 1)) {
      throw new RangeError(
        `setup.track_discs places ${counts[place + 1]} ${colour} discs: each colour has ${Math.floor(each)}, and one of ` +
          "them on a space 1 (S1.6)",
      );
    }
  });
}
