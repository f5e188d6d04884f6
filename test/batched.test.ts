/** Combining the reads of many requests into few statements. */
import { expect, test } from 'vitest';
import { batched, batchedInTwo } from '../src/database/batch.ts';

/** A loader whose reads end when the test ends them. */
function heldLoader(open: typeof batched = batched) {
  const reads: { keys: readonly number[]; end(): void }[] = [];
  const loader = open<number, string>(
    (keys) =>
      new Promise((resolve) => {
        reads.push({ keys, end: () => resolve(keys.map((key) => `value ${key}`)) });
      }),
  );
  return { loader, reads };
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

test('of many keys requested in one turn, the first sixteen are read and returned without the others', async () => {
  const { loader, reads } = heldLoader(batchedInTwo);
  const keys = Array.from({ length: 40 }, (_, n) => n);
  const values = keys.map((key) => loader.load(key));
  await nextTurn();
  expect(reads.map((read) => read.keys)).toEqual([keys.slice(0, 16), keys.slice(16)]);
  reads[0]?.end();
  expect(await Promise.all(values.slice(0, 16))).toHaveLength(16);
  const later = loader.load(40);
  await nextTurn();
  expect(reads[2]?.keys).toEqual([40]);
  for (const { end } of reads) end();
  expect(await Promise.all([...values, later])).toEqual([...keys, 40].map((key) => `value ${key}`));
});
