/** Sentences about wrong input. */

const LONGEST = 120;

/** Return a value as it stands in a message, on one line and cut short. */
export function shown(value) {
  let text;
  try {
    text = typeof value === "bigint" ? `${value}n` : JSON.stringify(value) ?? String(value);
  } catch {
    text = String(Object.prototype.toString.call(value));
  }
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 3)}...`;
}

/** Return whether a value is a whole number that is exact in JSON. */
export function isWhole(value) {
  return typeof value === "number" && Number.isSafeInteger(value);
}

/** Return whether a value is an object with names, and neither a list nor null. */
export function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Throw a TypeError for a name that an object of options should not have. */
export function checkNames(given, known, what) {
  if (!isObject(given)) {
    throw new TypeError(`${what} ${shown(given)} are not possible: give an object with some of ${known.join(", ")}`);
  }
  const other = Object.keys(given).find((name) => !known.includes(name));
  if (other !== undefined) {
    throw new TypeError(`${what} have no ${shown(other)}: known are ${known.join(", ")}`);
  }
}
