/** What a new game is asked to be: checked, and as the rules take it. */

import { isObject, isWhole, shown } from "./errors.js";

const STANDARD = "standard";
const EXPLOITS = "exploits";

/** Return the variant of a name, an entry of `data.variants`, with its number. */
export function variantOf(data, name) {
  const code = data.variants.findIndex((one) => one.name === name);
  if (code < 0) {
    const known = data.variants.map((one) => one.name).join(", ");
    throw new RangeError(`variant ${shown(name)} is unknown: this version plays ${known}`);
  }
  return { ...data.variants[code], code };
}

/** Return the number of seats; undefined stands for 4 in the base game and for the only number a variant takes. */
export function checkPlayers(data, players, variant) {
  const [least, most] = variant.players;
  if (players === undefined || players === null) {
    return least < most ? data.default_players : least;
  }
  if (!isWhole(players) || players < least || players > most) {
    const takes = least < most ? `${least} to ${most} players` : `exactly ${least} player${least > 1 ? "s" : ""}`;
    throw new RangeError(`players=${shown(players)} does not fit variant ${shown(variant.name)}: it takes ${takes}`);
  }
  return players;
}

/** Return the Exploits asked for as bits, null for random ones, and the name of the variant that plays with them. */
export function checkExploits(data, exploits, variant) {
  if (exploits === undefined || exploits === null) {
    return [variant === EXPLOITS ? null : 0, variant];
  }
  if (exploits !== "random" && !Array.isArray(exploits)) {
    throw new TypeError(`exploits=${shown(exploits)} is not possible: give a list of names, or "random"`);
  }
  const bits = exploits === "random" ? null : bitsOf(data, exploits);
  if (variant === EXPLOITS && bits === 0) {
    throw new RangeError(
      `exploits=${shown(exploits)} do not fit variant "${EXPLOITS}": name at least one, or play "${STANDARD}"`,
    );
  }
  if (variant === EXPLOITS || bits === 0) {
    return [bits, variant];
  }
  if (variant !== STANDARD) {
    throw new RangeError(
      `exploits=${shown(exploits)} do not fit variant ${shown(variant)}: only the base game has them`,
    );
  }
  return [bits, EXPLOITS];
}

function bitsOf(data, names) {
  let bits = 0;
  for (const name of names) {
    const at = data.exploits.indexOf(name);
    if (at < 0) {
      throw new RangeError(`exploit ${shown(name)} is unknown: they are ${data.exploits.join(", ")}`);
    }
    if (bits & (1 << at)) {
      throw new RangeError(`exploits=${shown(names)} names ${name} twice: each is in play once`);
    }
    bits |= 1 << at;
  }
  return bits;
}

/** Return the options as the rules take them: for each the index of its value, the Exploits being those of the set-up. */
export function checkOptions(data, options, variant) {
  const chosen = new Int16Array(data.num_options);
  chosen[data.exploits_option] = -1;
  if (options === undefined || options === null) {
    return chosen;
  }
  if (!isObject(options)) {
    throw new TypeError(`options=${shown(options)} is not possible: give an object with names and values of options`);
  }
  for (const [name, value] of Object.entries(options)) {
    const option = data.options.find((one) => one.name === name);
    const index = option ? valueIndex(option, value) : 0;
    if (!option || (index && !option.variants.includes(variant))) {
      const known = data.options.filter((one) => one.variants.includes(variant)).map((one) => one.name);
      const has = known.length ? `has no option ${shown(name)}, its options are ${known.join(", ")}` : "has no options";
      throw new RangeError(`options=${shown(options)} is not possible: variant ${shown(variant)} ${has}`);
    }
    chosen[option.at] = index;
  }
  return chosen;
}

function valueIndex(option, value) {
  const index = option.values.indexOf(value);
  if (index < 0) {
    const known = option.values.map(shown).join(" or ");
    throw new RangeError(`option ${option.name}=${shown(value)} is not possible: it must be ${known}`);
  }
  return index;
}

/** Return a seed that was given, or a fresh one. */
export function checkSeed(seed) {
  if (seed === undefined || seed === null) {
    const [high, low] = crypto.getRandomValues(new Uint32Array(2));
    return (high % 2 ** 21) * 2 ** 32 + low;
  }
  if (!isWhole(seed) || seed < 0) {
    throw new RangeError(`seed=${shown(seed)} is not possible: a seed is a whole number from 0 to 2**53 - 1`);
  }
  return seed;
}
