/** Subscriptions whose reader is slower than the changes: what waits for it is bounded, and it misses nothing. */
import { expect, test } from 'vitest';
import { type LivePricesOptions, openLivePrices } from '../../src/catalogue/live-prices/live-prices.ts';
import { readHead, readRows } from '../../src/ledger/changes/read-changes.ts';
import { openTestDatabase } from '../harness/database.ts';
import { importRows } from '../harness/gateway.ts';
import { forFile } from '../harness/lifetime.ts';
import { signal } from '../harness/signal.ts';
import { thing } from './instances.ts';

// More than the 1,000 events that may wait.
const numbers = Array.from({ length: 1_200 }, (_each, index) => index + 1);

let price = 100;
const database = await forFile(openTestDatabase());
await changeAll();
const [shop] = await database.query<{ id: bigint }>('SELECT id FROM merchant');
const merchantId = shop?.id ?? 0n;

async function changeAll(): Promise<void> {
  price += 1;
  await importRows(
    database,
    'Shop',
    numbers.map((number) => thing(number, `${price} EUR`)),
  );
}

const listen = (options: LivePricesOptions, after?: bigint) =>
  openLivePrices(database, options).listen({
    keyId: 1n,
    filter: { merchantId, types: ['price'] },
    after,
    pay: async () => true,
    isStillValid: async () => true,
  });

test('a burst of more events than may wait reaches a reader completely and in order', async () => {
  const start = await readHead(database);
  const events = await listen({});
  await changeAll();
  await changeAll();
  const expected = (await readRows(database, start, ['figures'], 5_000)).map(({ seq }) => seq);
  expect(expected).toHaveLength(2_400);
  const seen: bigint[] = [];
  for await (const { seq } of events) if (seen.push(seq) === expected.length) break;
  expect(seen).toEqual(expected);
});

test('a reader that takes nothing while its inbox is full is disconnected, and told how to continue', async () => {
  const { raise: hasEnded, raised: ended } = signal();
  const onCount = (count: number) => count === 0 && hasEnded();
  const events = await listen({ longestWaitMs: 0, onCount });
  await changeAll();
  await ended;
  await expect(events.next()).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringMatching(/reads changes too slowly.*as `after`/),
  });
  expect((await events.next()).done).toBe(true);
});

test('reads of products are brought up to date before an event is delivered, also of the past', async () => {
  let caughtUp = 0n;
  const catchUp = async () => {
    caughtUp = await readHead(database);
  };
  const start = await readHead(database);
  await changeAll();
  const past = await listen({ catchUp }, start);
  expect(caughtUp).toBe(0n);
  const { value } = await past.next();
  expect(value.seq).toBeGreaterThan(start);
  expect(caughtUp).toBe(await readHead(database));
  await past.return?.();
  const live = await listen({ catchUp });
  const next = live.next();
  await changeAll();
  await next;
  expect(caughtUp).toBe(await readHead(database));
  await live.return?.();
});
