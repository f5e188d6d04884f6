/** Combining the reads of many requests into few statements. */
import { describe, expect, test, vi } from 'vitest';
import { batched, batchedInTwo } from '../src/database/batch.ts';

/** A read for loaders that ends when the test ends it. */
function heldRead() {
  const reads: { keys: readonly number[]; end(): void }[] = [];
  const read = (keys: readonly number[]) =>
    new Promise<string[]>((resolve) => {
      reads.push({ keys, end: () => resolve(keys.map((key) => `value ${key}`)) });
    });
  return { read, reads };
}

function heldLoader() {
  const { read, reads } = heldRead();
  return { loader: batched(read), reads };
}

const nextTurn = () => new Promise(setImmediate);

test('keys that are requested in one turn of the event loop are read together', async () => {
  const { loader, reads } = heldLoader();
  const values = Promise.all([loader.load(1), loader.load(2)]);
  await nextTurn();
  expect(reads.map(({ keys }) => keys)).toEqual([[1, 2]]);
  reads[0]?.end();
  expect(await values).toEqual(['value 1', 'value 2']);
});

test('while two statements are running, further keys are collected, and are read together when one ends', async () => {
  const { loader, reads } = heldLoader();
  const values: Promise<string>[] = [];
  for (let key = 1; key <= 5; key += 1) {
    values.push(loader.load(key));
    await nextTurn();
  }
  expect(reads.map(({ keys }) => keys)).toEqual([[1], [2]]);
  reads[0]?.end();
  await values[0];
  expect(reads.map(({ keys }) => keys)).toEqual([[1], [2], [3, 4, 5]]);
  for (const { end } of reads) end();
  expect(await Promise.all(values)).toEqual(['value 1', 'value 2', 'value 3', 'value 4', 'value 5']);
});

test('a failed statement does not block the next one', async () => {
  let isAway = true;
  const loader = batched<number, string>(async (keys) => {
    if (isAway) throw new Error('The database is away.');
    return keys.map(String);
  });
  await expect(Promise.all([loader.load(1), loader.load(2)])).rejects.toThrow('away');
  isAway = false;
  expect(await loader.load(3)).toBe('3');
});

test('a batch that hangs holds up the next one only for as long as the loader has patience', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const { read, reads } = heldRead();
    const loader = batched(read, { patienceMs: 200, largest: 2 });
    const values = [1, 2, 3, 4, 5, 6, 7].map((key) => loader.load(key));
    await nextTurn();
    const keys = () => reads.map((held) => held.keys);
    expect(keys()).toEqual([
      [1, 2],
      [3, 4],
    ]);
    vi.advanceTimersByTime(199);
    expect(keys()).toHaveLength(2);
    vi.advanceTimersByTime(1);
    expect(keys().slice(2)).toEqual([[5, 6], [7]]);
    // Those that hung end late, and do not let further ones begin.
    const late = [8, 9].map((key) => loader.load(key));
    await nextTurn();
    for (const { end } of reads.slice(0, 2)) end();
    await Promise.all(values.slice(0, 4));
    expect(keys()).toHaveLength(4);
    for (const { end } of reads) end();
    await Promise.all(values);
    expect(keys().slice(4)).toEqual([[8, 9]]);
    reads.at(-1)?.end();
    expect(await Promise.all(late)).toEqual(['value 8', 'value 9']);
  } finally {
    vi.useRealTimers();
  }
});

describe('a loader in two parts', () => {
  const keys = Array.from({ length: 40 }, (_, n) => n);

  test('reads the first sixteen of many requests in one turn, and returns them without the others', async () => {
    const { read, reads } = heldRead();
    const loader = batchedInTwo(read);
    const values = keys.map((key) => loader.load(key, {}));
    await nextTurn();
    expect(reads.map((each) => each.keys)).toEqual([keys.slice(0, 16), keys.slice(16)]);
    reads[0]?.end();
    expect(await Promise.all(values.slice(0, 16))).toHaveLength(16);
    const later = loader.load(40, {});
    await nextTurn();
    expect(reads[2]?.keys).toEqual([40]);
    for (const { end } of reads) end();
    expect(await Promise.all([...values, later])).toEqual([...keys, 40].map((key) => `value ${key}`));
  });

  test('reads all keys of one request together, however many they are', async () => {
    const { read, reads } = heldRead();
    const loader = batchedInTwo(read);
    const request = {};
    const values = [...keys.map((key) => loader.load(key, request)), loader.load(40, {})];
    await nextTurn();
    expect(reads.map((each) => each.keys)).toEqual([keys, [40]]);
    for (const { end } of reads) end();
    expect(await Promise.all(values)).toHaveLength(41);
  });
});
