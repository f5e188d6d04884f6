/** Groups the rows of a feed that share keys, directly or through others (union-find), with a few numbers for each row. */

export type DisjointSets = ReturnType<typeof openDisjointSets>;

const FIRST_SLOTS = 1_024;

/**
 * Opens groups of the rows 1 to `size`. The first row of a group represents it.
 *
 * A row takes four bytes, and a key that was not seen before up to 48. Keys are hashes of 53 bits: two values with one hash only join
 * groups that need not be joined.
 */
export function openDisjointSets(size: number) {
  const parents = new Int32Array(size + 1);
  let keys = new Float64Array(FIRST_SLOTS);
  let rowOf = new Int32Array(FIRST_SLOTS);
  let used = 0;

  const find = (row: number): number => {
    let at = row;
    for (let parent = parents[at] ?? 0; parent !== at; parent = parents[at] ?? 0) {
      const above = parents[parent] ?? parent;
      parents[at] = above;
      at = above;
    }
    return at;
  };

  /** The place of a key in the table: its own, or the free one that it would take. */
  const slotOf = (key: number): number => {
    const mask = keys.length - 1;
    let slot = (key ^ (key / 2 ** 32)) & mask;
    while (rowOf[slot] !== 0 && keys[slot] !== key) slot = (slot + 1) & mask;
    return slot;
  };

  const grow = () => {
    const [oldKeys, oldRows] = [keys, rowOf];
    keys = new Float64Array(oldKeys.length * 2);
    rowOf = new Int32Array(oldKeys.length * 2);
    for (const [slot, row] of oldRows.entries()) {
      if (row === 0) continue;
      const key = oldKeys[slot] ?? 0;
      const free = slotOf(key);
      keys[free] = key;
      rowOf[free] = row;
    }
  };

  return {
    /** Adds a row, as a group of its own. */
    add(row: number): void {
      parents[row] = row;
    },
    has: (row: number): boolean => parents[row] !== 0,
    /** The first row of the group of a row. */
    find,
    join(one: number, other: number): void {
      const [first, second] = [find(one), find(other)];
      parents[Math.max(first, second)] = Math.min(first, second);
    },
    /** The first row that was given this key; `row` if there was none. */
    firstWith(key: number, row: number): number {
      const slot = slotOf(key);
      const known = rowOf[slot] ?? 0;
      if (known !== 0) return known;
      keys[slot] = key;
      rowOf[slot] = row;
      used += 1;
      if (used * 2 > keys.length) grow();
      return row;
    },
  };
}
