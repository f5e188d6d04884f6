/** Reading many products of a distributed ledger with one statement, without letting the loss of one server fail those on the others. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openShardReads } from '../src/database/shard-reads.ts';

const LOST = 3n;

let statements: (string | bigint)[];
/** Milliseconds until a statement for the lost server fails. */
let failsAfter: number | undefined;
/** Holds statements for several products. */
let held: Promise<void> | undefined;
beforeEach(() => {
  statements = [];
  failsAfter = undefined;
  held = undefined;
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

async function ask(productIds: readonly bigint[]): Promise<void> {
  if (failsAfter === undefined || !productIds.includes(LOST)) return;
  vi.advanceTimersByTime(failsAfter);
  throw new Error('The server is lost.');
}

const open = () =>
  openShardReads<string>((work) => work(), {
    async together(productIds) {
      statements.push(productIds.join());
      await held;
      await ask(productIds);
      return new Map(productIds.map((id) => [id, `value ${id}`]));
    },
    async alone(productId) {
      statements.push(productId);
      await ask([productId]);
      return `value ${productId}`;
    },
  });

const nextTurn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
const settled = async (values: Promise<string | undefined>[]) =>
  (await Promise.allSettled(values)).map((outcome) =>
    outcome.status === 'fulfilled' ? outcome.value : (outcome.reason as Error).message,
  );
const of = (read: ReturnType<typeof open>, ...ids: bigint[]) => settled(ids.map(read));

test('products that are asked for in one turn are read with one statement, each once', async () => {
  expect(await of(open(), 1n, 2n, 1n)).toEqual(['value 1', 'value 2', 'value 1']);
  expect(statements).toEqual(['1,2']);
});

test('one product, however often it is requested, is read with the statement for one', async () => {
  expect(await of(open(), 1n, 1n)).toEqual(['value 1', 'value 1']);
  expect(statements).toEqual([1n]);
});

test('a lost server fails only its own products, which are read by themselves for a minute', async () => {
  failsAfter = 0;
  const read = open();
  const answers = ['value 1', 'value 2', 'The server is lost.'];
  expect(await of(read, 1n, 2n, LOST)).toEqual(answers);
  expect(statements).toEqual(['1,2,3', 1n, 2n, LOST]);
  vi.advanceTimersByTime(59_000);
  expect(await of(read, 1n, 2n, LOST)).toEqual(answers);
  expect(statements).toHaveLength(7);
});

test('after the minute, one statement for several products is tried, and the others follow when it succeeds', async () => {
  failsAfter = 0;
  const read = open();
  await of(read, 1n, LOST);
  failsAfter = undefined;
  vi.advanceTimersByTime(60_000);
  statements = [];
  const ids = Array.from({ length: 60 }, (_, n) => BigInt(n + 10));
  let release = () => {};
  held = new Promise((resolve) => {
    release = resolve;
  });
  const values = of(read, ...ids);
  await nextTurn();
  expect(statements).toEqual([ids.slice(0, 50).join(), ...ids.slice(50)]);
  release();
  expect(await values).toEqual(ids.map((id) => `value ${id}`));
  statements = [];
  expect(await of(read, 1n, 2n)).toEqual(['value 1', 'value 2']);
  expect(statements).toEqual(['1,2']);
});

test('of a request for very many products, all beyond the first hundred are read in small statements, which let others through', async () => {
  const ids = Array.from({ length: 203 }, (_, n) => BigInt(n + 10));
  let release = () => {};
  held = new Promise((resolve) => {
    release = resolve;
  });
  const values = of(open(), ...ids);
  await nextTurn();
  const small = Array.from({ length: 13 }, (_, n) => ids.slice(100 + 8 * n, 108 + 8 * n));
  expect(statements).toEqual([ids.slice(0, 50), ids.slice(50, 100), ...small].map((some) => some.join()));
  release();
  expect(await values).toEqual(ids.map((id) => `value ${id}`));
});

test('products that waited for a server that hangs fail without a second wait, and later ones do not wait for it', async () => {
  failsAfter = 4_000;
  const read = open();
  const hung = 'A server of the ledger does not answer.';
  expect(await of(read, 1n, LOST)).toEqual([hung, hung]);
  expect(statements).toEqual(['1,3']);
  expect(await of(read, 1n, 2n)).toEqual(['value 1', 'value 2']);
  expect(statements.slice(1)).toEqual([1n, 2n]);
});
