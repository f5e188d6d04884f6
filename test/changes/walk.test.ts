/** Walks along a table: every row once, in bounded statements, whether rows are dense or sparse. */
import { expect, test } from 'vitest';
import { type Place, walk } from '../../src/catalogue/exports/walk.ts';
import { signal } from '../harness/signal.ts';

const LIMIT = 100;
const placeOf = (number: bigint): Place => [number];
const NUMBERS = { endOf: placeOf, placeOf, limit: LIMIT };

/** Walks over rows with these numbers. */
async function walked(numbers: readonly bigint[], start = 0n, last = numbers.at(-1) ?? 0n, isBusy = () => false) {
  const statements: bigint[] = [];
  const read = async ([after]: Place, through: bigint, limit: number) => {
    statements.push(through - after);
    return numbers.filter((number) => number > after && number <= through).slice(0, limit);
  };
  const seen: bigint[][] = [];
  const pages = walk({ read, ...NUMBERS }, [start], last, { isBusy });
  for await (const page of pages) seen.push(page);
  return { seen, statements };
}

const upTo = (count: number, step = 1n) => Array.from({ length: count }, (_, n) => BigInt(n + 1) * step);

test('dense rows come in full pages', async () => {
  const { seen } = await walked(upTo(950));
  expect(seen.flat()).toEqual(upTo(950));
  expect(seen.map(({ length }) => length)).toEqual([...Array(9).fill(LIMIT), 50]);
});

test('pages are small while others need the processor, and no row is missing', async () => {
  let asked = 0;
  const { seen } = await walked(upTo(450), 0n, 450n, () => {
    asked += 1;
    return asked <= 5;
  });
  expect(seen.flat()).toEqual(upTo(450));
  expect(seen.map(({ length }) => length)).toEqual([...Array(5).fill(LIMIT / 5), ...Array(3).fill(LIMIT), 50]);
});

test('sparse rows need few statements, and none reads more than a quarter of a million numbers', async () => {
  const numbers = upTo(20, 1_000_000n);
  const { seen, statements } = await walked(numbers);
  expect(seen.flat()).toEqual(numbers);
  expect(statements.length).toBeLessThan(120);
  expect(statements.every((width) => width <= 262_144n)).toBe(true);
});

test('a walk starts after a place and ends at the last number, and without rows at once', async () => {
  const { seen } = await walked(upTo(300), 120n, 250n);
  expect(seen.flat()).toEqual(upTo(300).slice(120, 250));
  expect((await walked([])).seen).toEqual([]);
  expect((await walked(upTo(10), 50n)).seen).toEqual([]);
});

test('an error of a statement ends the walk', async () => {
  const broken = walk(
    {
      read: async ([after]) => {
        if (after > 0n) throw new Error('gone');
        return upTo(LIMIT);
      },
      ...NUMBERS,
    },
    [0n],
    1_000n,
  );
  expect((await broken.next()).value).toHaveLength(LIMIT);
  await expect(broken.next()).rejects.toThrow('gone');
});

test('a reader that leaves ends the walk, also where no row is left', async () => {
  let statements = 0;
  const { raise: resume, raised: paused } = signal();
  const pages = walk(
    {
      read: async ([after]: Place) => {
        statements += 1;
        if (after === 0n) return [1n];
        await paused;
        return [];
      },
      ...NUMBERS,
    },
    [0n],
    1_000_000_000n,
  );
  await pages.next();
  expect(statements).toBe(2); // The next page is being read.
  await pages.return();
  resume();
  await new Promise((resolve) => setImmediate(resolve));
  expect(statements).toBe(2);
});

test('a client that is gone ends a walk that waits for its next row', async () => {
  const gone = new AbortController();
  let statements = 0;
  const pages = walk(
    {
      read: async () => {
        statements += 1;
        if (statements === 3) gone.abort();
        return [];
      },
      ...NUMBERS,
    },
    [0n],
    1_000_000_000n,
    { gone: gone.signal },
  );
  expect(await pages.next()).toEqual({ value: undefined, done: true });
  expect(statements).toBe(3);
});
