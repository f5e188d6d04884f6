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
 * ends, and where the window leaves its beginning and its end behind. A Fenwick tree over the sorted values sums these lines. The
 * constants of values that the window has left, or that lie inside it, are at most its length. So all sums are exact integers below
 * 2^53 until the values valid at one time cover 285,000 years together.
 */
export class WeightedMedian {
  readonly #sorted: BigInt64Array;
  readonly #constants: Float64Array;
  readonly #slopes: Int32Array;
  /** The bends that wait, in four queues, each in the order of time. */
  readonly #queues: readonly Queue[];
  /** Times are relative to the first, which keeps the numbers small. */
  readonly #origin: number;

  /** @param values by ascending `from`. @param windowMs the length of the window in milliseconds. */
  constructor(values: readonly ValidValue[], windowMs: number) {
    const count = values.length;
    this.#sorted = BigInt64Array.from(values, ({ value }) => value).sort();
    this.#constants = new Float64Array(count + 1);
    this.#slopes = new Int32Array(count + 1);
    this.#origin = values[0]?.from ?? 0;
    const positions = this.#positionsOf(values);
    const from = Float64Array.from(values, (value) => value.from - this.#origin);
    const until = Float64Array.from(values, (value) => value.until - this.#origin);
    const byEnd = Uint32Array.from(values, (_, index) => index).sort((one, other) => {
      const [first, second] = [until[one] ?? 0, until[other] ?? 0];
      return first === second ? 0 : first - second; // Infinity minus itself is no number.
    });
    const ends = Float64Array.from(byEnd, (index) => until[index] ?? 0);
    const endPositions = Uint32Array.from(byEnd, (index) => positions[index] ?? 0);
    this.#queues = [
      { times: from, positions, delay: 0, slope: 1, next: 0 },
      { times: ends, positions: endPositions, delay: 0, slope: -1, next: 0 },
      { times: from, positions, delay: windowMs, slope: -1, next: 0 },
      { times: ends, positions: endPositions, delay: windowMs, slope: 1, next: 0 },
    ];
  }

  /**
   * The lower median of the values in the window that ends at `moment` (exclusive): the least value such that it and lower values
   * were valid for at least half of the summed time. Undefined if no value was valid in the window.
   */
  before(moment: number): bigint | undefined {
    const now = moment - this.#origin;
    for (const queue of this.#queues) this.#bendUntil(now, queue);
    const [constants, slopes, count] = [this.#constants, this.#slopes, this.#sorted.length];
    let whole = 0;
    for (let node = count; node > 0; node -= node & -node) whole += (constants[node] ?? 0) + (slopes[node] ?? 0) * now;
    if (whole === 0) return undefined;
    // Descends to the last position up to which the values weigh less than half.
    let position = 0;
    let weight = 0;
    for (let step = 2 ** Math.floor(Math.log2(count)); step >= 1; step /= 2) {
      const node = position + step;
      if (node > count) continue;
      const further = weight + (constants[node] ?? 0) + (slopes[node] ?? 0) * now;
      if (2 * further < whole) {
        position = node;
        weight = further;
      }
    }
    return this.#sorted[position];
  }

  #bendUntil(now: number, queue: Queue) {
    const { times, positions, delay, slope } = queue;
    const [constants, slopes] = [this.#constants, this.#slopes];
    for (; queue.next < times.length; queue.next++) {
      const at = (times[queue.next] ?? 0) + delay;
      if (at > now) return;
      for (let node = (positions[queue.next] ?? 0) + 1; node < constants.length; node += node & -node) {
        constants[node] = (constants[node] ?? 0) - slope * at;
        slopes[node] = (slopes[node] ?? 0) + slope;
      }
    }
  }

  /** For each value, its first position among the sorted ones. */
  #positionsOf(values: readonly ValidValue[]): Uint32Array {
    const first = new Map<bigint, number>();
    for (const [position, value] of this.#sorted.entries()) if (!first.has(value)) first.set(value, position);
    return Uint32Array.from(values, ({ value }) => first.get(value) ?? 0);
  }
}

/** Bends of one kind: `delay` after each time, the weight of the value at its position grows by `slope` ms more in each millisecond. */
interface Queue {
  readonly times: Float64Array;
  readonly positions: Uint32Array;
  readonly delay: number;
  readonly slope: 1 | -1;
  next: number;
}
