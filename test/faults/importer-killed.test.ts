/**
 * Imports that are killed at random moments: the database is consistent, and has the shop either as before or as in the feed.
 *
 * `KILLS` sets the number of kills (2 by default); `SEED` repeats the moments of a failed run.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Database } from '../../src/database/database.ts';
import { migrate } from '../../src/database/migrate.ts';
import { feedRow, importRows } from '../harness/gateway.ts';
import { makeHome } from '../harness/home.ts';
import { forFile } from '../harness/lifetime.ts';

const KILLS = Number(process.env.KILLS ?? 2);
const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000);
const ROWS = 1_500;

/** Reproducible random numbers from 0 to 1 (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A feed in which every offer costs `generation` euros; the other shop's offers do not change. */
const feed = (generation: number) =>
  `id\ttitle\tlink\tprice\tavailability\tbrand\tmpn\n${Array.from(
    { length: ROWS },
    (_, n) => `${n}\tThing ${n}\thttps://x.example/${n}\t${generation}.00 EUR\tin stock\tMaker\tM${n}\n`,
  ).join('')}`;

const home = await forFile(makeHome());
await home.within(async (database) => {
  await migrate(database);
  const rows = Array.from({ length: 300 }, (_, n) =>
    feedRow({ id: `other ${n}`, title: `Thing ${n}`, brand: 'Maker', mpn: `M${n}`, price: '30.00 EUR' }),
  );
  await importRows(database, 'Other', rows);
});

function startImport(generation: number): { child: ChildProcess; ended: Promise<unknown> } {
  const child = spawn(process.execPath, ['dist/pda.js', 'import', '-', '--merchant', 'Shop', '--json'], {
    cwd: join(import.meta.dirname, '..', '..'),
    env: { PATH: process.env.PATH, ...home.environment },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  child.stdin?.on('error', () => {}); // The process was killed before it had read everything.
  child.stdin?.end(feed(generation));
  return { child, ended: once(child, 'exit') };
}

/** All inconsistencies as text; empty if the database is consistent. */
async function faultsOf(database: Database): Promise<string[]> {
  const count = async (what: string, sql: string) => {
    const [row] = await database.query<{ count: bigint }>(
      `WITH ledger AS MATERIALIZED (SELECT * FROM ledger) SELECT count(*) AS count FROM (${sql}) AS fault`,
    );
    return row && row.count > 0n ? [`${row.count} ${what}`] : [];
  };
  return [
    ...(await count(
      'shops that are half one generation and half another',
      `SELECT merchant_id FROM offer JOIN merchant ON merchant.id = merchant_id WHERE merchant.name = 'Shop'
       GROUP BY merchant_id
       HAVING count(DISTINCT total) > 1
           OR count(*) <> ${ROWS} OR count(withdrawn_at) > 0`,
    )),
    ...(await count(
      'offers whose last price change is another price',
      `SELECT 1 FROM offer LEFT JOIN LATERAL (
         SELECT total FROM ledger WHERE product_id = offer.product_id AND offer_id = offer.id
         ORDER BY observed_at DESC LIMIT 1) AS last ON TRUE
       WHERE last.total IS DISTINCT FROM offer.total`,
    )),
    ...(await count(
      'price changes of no offer',
      'SELECT 1 FROM ledger WHERE NOT EXISTS (SELECT FROM offer WHERE offer.id = offer_id)',
    )),
    ...(await count(
      'products whose figures are not those of their offers',
      `SELECT 1 FROM product LEFT JOIN (
         SELECT product_id, count(*) AS offers, min(total) AS low, max(total) AS high FROM offer
         WHERE withdrawn_at IS NULL GROUP BY product_id) AS told ON told.product_id = product.id
       WHERE (offer_count, min_total, max_total) IS DISTINCT FROM (COALESCE(offers, 0)::int, low, high)
          OR lowest_ever > min_total`,
    )),
    ...(await count(
      'shops, brands whose figures are not those of their offers',
      `SELECT 1 FROM merchant WHERE offer_count <> (SELECT count(*) FROM offer WHERE merchant_id = merchant.id AND withdrawn_at IS NULL)
       UNION ALL
       SELECT 1 FROM brand WHERE product_count <> (SELECT count(*) FROM product WHERE brand_id = brand.id AND offer_count > 0)`,
    )),
  ];
}

/** Checks every index against its table. @throws if one does not fit. */
async function checkIndices(database: Database): Promise<void> {
  await database.script('CREATE EXTENSION IF NOT EXISTS amcheck');
  await database.query(
    `SELECT bt_index_check(index.oid::regclass, TRUE)
     FROM pg_class AS index JOIN pg_am AS am ON am.oid = index.relam
     WHERE index.relkind = 'i' AND am.amname = 'btree' AND index.relpersistence = 'p'`,
  );
}

test(
  `the data is consistent after each of ${KILLS} kills (KILLS=50 for a longer run)`,
  async () => {
    const random = randomFrom(SEED);
    let generation = 1;
    const startedAt = performance.now();
    await startImport(generation).ended;
    let usualMs = performance.now() - startedAt;
    const outcomes = { before: 0, after: 0 };

    for (let kill = 1; kill <= KILLS; kill += 1) {
      generation += 1;
      const where = `seed ${SEED}, kill ${kill} of ${KILLS}`;
      const begunAt = performance.now();
      const { child, ended } = startImport(generation);
      // Most of the time passes before the first row is read, and nothing can break there.
      const moment = usualMs * (0.2 + random());
      const timer = setTimeout(() => child.kill('SIGKILL'), moment);
      await ended;
      clearTimeout(timer);
      if (child.exitCode === 0) usualMs = performance.now() - begunAt;

      await home.within(async (database) => {
        expect([where, await faultsOf(database)]).toEqual([where, []]);
        await checkIndices(database);
        const [shop] = await database.query<{ total: bigint }>(
          "SELECT min(total) AS total FROM offer JOIN merchant ON merchant.id = merchant_id WHERE merchant.name = 'Shop'",
        );
        const now = Number(shop?.total) / 100;
        if (child.exitCode === 0) expect([where, now]).toEqual([where, generation]);
        if (now === generation) outcomes.after += 1;
        else outcomes.before += 1;
      });
    }
    const { child, ended } = startImport(generation + 1);
    await ended;
    expect(child.exitCode).toBe(0);
    expect(await home.within(faultsOf)).toEqual([]);
    process.stdout.write(
      `${KILLS} kills (seed ${SEED}): ${outcomes.before} left the shop as it was, ${outcomes.after} came after the end\n`,
    );
  },
  180_000 + KILLS * 30_000,
);
