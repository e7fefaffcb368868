/** Random numbers as the rules draw them: the same seed gives the same game as in Python. */

const LOW = (1n << 64n) - 1n;

export class Random {
  /** Begin the numbers of a seed, a whole number from 0 to 2**53 - 1. */
  constructor(seed) {
    if (!Number.isSafeInteger(seed) || seed < 0) {
      throw new RangeError(`seed=${String(seed)} is not possible: a seed is a whole number from 0 to 2**53 - 1`);
    }
    let z = (BigInt(seed) + 0x9e3779b97f4a7c15n) & LOW; // one step of splitmix64
    z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & LOW;
    z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & LOW;
    z ^= z >> 31n;
    this.state = new BigUint64Array([z || 1n]);
  }

  /** Put the state into the memory of a machine, do something with it there, and take the new state back. */
  lend(machine, work) {
    machine.put(machine.at.random, this.state);
    const result = work();
    this.state = new BigUint64Array(machine.take(machine.at.random, 8).buffer);
    return result;
  }
}
