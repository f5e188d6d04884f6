/** Chance from a seed: the same seed gives the same catalogue, byte for byte. */

export interface Random {
  /** A number from 0 up to, but not, 1. */
  next(): number;
  /** A whole number from `low` to `high`, both possible. */
  between(low: number, high: number): number;
  pick<Item>(items: readonly Item[]): Item;
  /** True in `share` of the cases, 0 to 1. */
  chance(share: number): boolean;
}

/** A stream of chance of its own for each name, so that a change in one place leaves the others as they were. */
export function randomOf(seed: string): Random {
  // FNV-1a makes the seed a number; mulberry32 makes the numbers.
  let state = 2_166_136_261;
  for (const character of seed) state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 16_777_619);
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    next,
    between: (low, high) => low + Math.floor(next() * (high - low + 1)),
    pick(items) {
      const item = items[Math.floor(next() * items.length)];
      if (item === undefined) throw new Error('There is nothing to pick from.');
      return item;
    },
    chance: (share) => next() < share,
  };
}
