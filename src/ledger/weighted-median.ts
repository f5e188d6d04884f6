/** The median of values over a sliding time window, weighted by the time for which each value was valid in the window. */

/** A value that is valid from `from` (inclusive) until `until` (exclusive; may be infinite), in milliseconds. */
export interface ValidValue {
  value: bigint;
  from: number;
  until: number;
}

/**
 * Answers for moments in ascending order. For n values, all answers together take O(n log n).
 *
 * The weight of a value at moment t is a line, `constant + slope * t`, that bends at most four times: where the value begins and
 * ends, and where the window leaves its beginning and its end behind. A Fenwick tree over the sorted values sums these lines. Only
 * values that begin or end within the window's reach have lines far from their weight, so all sums are exact integers below 2^53
 * until the values valid at one time cover 285,000 years together.
 */
export class WeightedMedian {
  readonly #values: BigInt64Array;
  readonly #constants: Float64Array;
  readonly #slopes: Int32Array;
  /** The bends by time, and the next one to apply. */
  readonly #bends: Bend[] = [];
  #next = 0;
  /** Times are relative to the first, which keeps the numbers small. */
  readonly #origin: number;

  /** @param windowMs the length of the window in milliseconds */
  constructor(values: readonly ValidValue[], windowMs: number) {
    this.#values = BigInt64Array.from(values, ({ value }) => value).sort();
    this.#constants = new Float64Array(values.length + 1);
    this.#slopes = new Int32Array(values.length + 1);
    this.#origin = values.reduce((first, { from }) => Math.min(first, from), Number.POSITIVE_INFINITY);
    for (const { value, from, until } of values) {
      const position = this.#firstPositionOf(value);
      const [start, end] = [from - this.#origin, until - this.#origin];
      this.#bends.push(
        { at: start, position, slope: 1 },
        { at: end, position, slope: -1 },
        { at: start + windowMs, position, slope: -1 },
        { at: end + windowMs, position, slope: 1 },
      );
    }
    this.#bends.sort((one, other) => (one.at === other.at ? 0 : one.at - other.at));
  }

  /**
   * The lower median of the values in the window that ends at `moment` (exclusive): the least value such that it and lower values
   * were valid for at least half of the summed time. Undefined if no value was valid in the window.
   */
  before(moment: number): bigint | undefined {
    const now = moment - this.#origin;
    for (let bend = this.#bends[this.#next]; bend && bend.at <= now; bend = this.#bends[++this.#next]) this.#add(bend);
    let whole = 0;
    for (let node = this.#values.length; node > 0; node -= node & -node) whole += this.#weight(node, now);
    if (whole === 0) return undefined;
    // Descends to the last position up to which the values weigh less than half.
    let [position, weight] = [0, 0];
    for (let step = 2 ** Math.floor(Math.log2(this.#values.length)); step >= 1; step /= 2) {
      const node = position + step;
      if (node > this.#values.length) continue;
      const further = weight + this.#weight(node, now);
      if (2 * further < whole) [position, weight] = [node, further];
    }
    return this.#values[position];
  }

  #weight = (node: number, now: number) => (this.#constants[node] ?? 0) + (this.#slopes[node] ?? 0) * now;

  #add({ at, position, slope }: Bend) {
    for (let node = position + 1; node <= this.#values.length; node += node & -node) {
      this.#constants[node] = (this.#constants[node] ?? 0) - slope * at;
      this.#slopes[node] = (this.#slopes[node] ?? 0) + slope;
    }
  }

  #firstPositionOf(value: bigint): number {
    let [low, high] = [0, this.#values.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#values[middle] ?? value) < value) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** From `at` on, the weight of the value at `position` grows by `slope` milliseconds more in each millisecond. */
interface Bend {
  at: number;
  position: number;
  slope: 1 | -1;
}
