/** Scheduled feeds with several gateways, and gateways that are killed: each due run takes effect exactly once. */
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../../src/database/database.ts';
import { openPostgres } from '../../src/database/postgres.ts';
import { type ClaimedFeed, claimFeed, RunLost, renewLease } from '../../src/feeds/claim.ts';
import { addFeed, readFeed } from '../../src/feeds/feeds.ts';
import { pullFeed } from '../../src/feeds/pull-feed.ts';
import { makePostgresDatabase, openTestDatabase } from '../harness/database.ts';
import { eventually } from '../harness/eventually.ts';
import { forFile } from '../harness/lifetime.ts';
import { type ServerProcess, startServerProcess } from '../harness/process.ts';
import { answerFeed, feedOf, someRows, startShopServer } from '../harness/shop-server.ts';

// The column has whole milliseconds, so that the present one may be rounded up into the future.
const RUN_NOW = "UPDATE feed SET next_run_at = now() - INTERVAL '1 second'";

const MINUTE = 60_000;

const shop = await forFile(startShopServer());

const feedAt = (path: string, merchant = `Shop ${path}`) => ({
  url: shop.url(path),
  merchant,
  every: '1h',
  allowPrivate: true,
});

/** What the imports of a database did, and how the runs of its feeds ended. */
async function effects(database: Database) {
  const imports = await database.query<{ added: number }>('SELECT added FROM import_run ORDER BY id');
  const runs = await database.query<{ outcome: string | null }>(
    'SELECT outcome::text AS outcome FROM feed_run ORDER BY id',
  );
  const failures = await database.query('SELECT id FROM import_failure');
  return {
    added: imports.map(({ added }) => added),
    outcomes: runs.map(({ outcome }) => outcome),
    failures: failures.length,
  };
}

describe('a run', () => {
  let database: Database;
  beforeEach(async () => {
    database = await openTestDatabase();
  });
  afterEach(() => database.close());

  const claim = () => claimFeed(database, 60, { feeds: [], hosts: [] });
  const expire = () => database.query("UPDATE feed SET leased_until = now() - INTERVAL '1 second'");
  const options = {
    market: { currency: 'EUR', country: 'DE' },
    secretKey: undefined,
    downloadMs: MINUTE,
    inTurn: <Result>(work: () => Promise<Result>) => work(),
  };
  const pull = (feed: ClaimedFeed, inTurn: typeof options.inTurn = options.inTurn) =>
    pullFeed(database, feed, { ...options, inTurn }, new AbortController().signal);
  const required = (feed: ClaimedFeed | undefined): ClaimedFeed => {
    if (!feed) throw new Error('No feed was claimed.');
    return feed;
  };

  test('that was taken over imports nothing, records nothing, and does not count as a failure', async () => {
    shop.serve('/lost', answerFeed(someRows(3)));
    await addFeed(database, feedAt('/lost'));
    const first = required(await claim());
    expect(await claim()).toBeUndefined();
    await expire();
    const second = required(await claim());
    expect(await pull(first)).toMatchObject({
      outcome: 'superseded',
      message: expect.stringContaining('this run stopped early and changed no offers.'),
    });
    expect(await effects(database)).toEqual({ added: [], outcomes: ['superseded', null], failures: 0 });
    await expect(renewLease(database, first, 60)).rejects.toThrow(RunLost);
    expect(await pull(second)).toMatchObject({ outcome: 'imported', summary: { new: 3 } });
    expect(await effects(database)).toEqual({ added: [3], outcomes: ['superseded', 'imported'], failures: 0 });
    expect(await claim()).toBeUndefined();
  });

  test('that fails after it was taken over changes nothing of its feed', async () => {
    shop.serve('/lost', (response) => response.writeHead(500).end());
    const { id } = await addFeed(database, feedAt('/lost'));
    const first = required(await claim());
    await expire();
    required(await claim());
    expect(await pull(first)).toMatchObject({ outcome: 'superseded' });
    expect(await readFeed(database, id)).toMatchObject({ state: 'running', failures: 0 });
  });

  test('whose feed is removed meanwhile imports nothing', async () => {
    shop.serve('/removed', answerFeed(someRows(3)));
    await addFeed(database, feedAt('/removed'));
    const feed = required(await claim());
    await database.query('DELETE FROM feed');
    expect(await pull(feed)).toMatchObject({ outcome: 'superseded' });
    expect(await effects(database)).toEqual({ added: [], outcomes: [], failures: 0 });
  });

  test('passes the confirmation of an operator on to the run that takes it over', async () => {
    shop.serve('/confirmed', answerFeed(someRows(3)));
    await addFeed(database, feedAt('/confirmed'));
    await database.query('UPDATE feed SET confirmed_at = now()');
    expect(await claim()).toMatchObject({ isForced: true });
    await expire();
    const second = required(await claim());
    expect(second.isForced).toBe(true);
    await pull(second);
    await database.query(RUN_NOW);
    expect(await claim()).toMatchObject({ isForced: false });
  });

  test('keeps the wish of an operator to run again who asks during it', async () => {
    shop.serve('/again', answerFeed(someRows(1)));
    await addFeed(database, feedAt('/again'));
    await pull(required(await claim()), async (work) => {
      await database.query('UPDATE feed SET next_run_at = clock_timestamp()');
      return work();
    });
    expect(await claim()).toBeDefined();
  });

  test('imports content that is unchanged if another import follows while it is pulled', async () => {
    shop.serve('/raced', answerFeed(someRows(2), '"r"'));
    await addFeed(database, feedAt('/raced'));
    await pull(required(await claim()));
    await database.query(RUN_NOW);
    const forgotten = await pull(required(await claim()), async (work) => {
      await database.query('UPDATE feed SET content_digest = NULL, etag = NULL, content_import_id = NULL');
      return work();
    });
    expect(forgotten).toMatchObject({ outcome: 'imported', summary: { same: 2 } });
  });
});

describe('two gateways', () => {
  let home: Awaited<ReturnType<typeof makePostgresDatabase>>;
  let database: Database;
  let gateways: ServerProcess[] = [];
  const startGateway = async () => {
    const gateway = await startServerProcess({ DATABASE_URL: home.url, FEED_LEASE_SECONDS: '3' });
    gateways.push(gateway);
    return gateway;
  };

  beforeEach(async () => {
    home = await makePostgresDatabase();
    database = openPostgres({ url: home.url, purpose: 'bulk' });
    gateways = [];
  });
  afterEach(async () => {
    await Promise.all(gateways.map((gateway) => gateway.kill()));
    await database.close();
    await home.drop();
  });

  test('three gateways run each due feed once', async () => {
    const paths = Array.from({ length: 6 }, (_, index) => `/three/${index}`);
    for (const path of paths) shop.serve(path, answerFeed(someRows(4, { brand: path })));
    for (const path of paths) await addFeed(database, feedAt(path));
    await Promise.all([startGateway(), startGateway(), startGateway()]);
    const read = () => effects(database);
    const isDone = ({ outcomes }: Awaited<ReturnType<typeof read>>) =>
      outcomes.length >= paths.length && !outcomes.includes(null);
    for (const runs of [1, 2]) {
      const done = await eventually(
        read,
        (state) => isDone(state) && state.outcomes.length === runs * paths.length,
        2 * MINUTE,
      );
      expect(done.failures).toBe(0);
      expect(done.outcomes).toHaveLength(runs * paths.length);
      for (const path of paths) expect(shop.requests(path)).toHaveLength(runs);
      await database.query(RUN_NOW);
    }
    const { added, outcomes } = await read();
    expect(added.filter((count) => count > 0)).toEqual(paths.map(() => 4));
    expect(outcomes.filter((outcome) => outcome === 'imported')).toHaveLength(paths.length);
  });

  test('another gateway takes over from one that is killed in the middle of a pull, with one effect', async () => {
    const content = feedOf(someRows(50));
    let closed: Promise<unknown> | undefined;
    shop.serve('/killed', (response) => {
      closed = once(response, 'close');
      response.write(content.slice(0, content.length / 2));
    });
    const { id } = await addFeed(database, feedAt('/killed'));
    const killed = await startGateway();
    await shop.requested('/killed', 1);
    const survivor = await startGateway();
    await killed.kill();
    // The process that pulls ends with its gateway.
    await closed;
    shop.serve('/killed', (response) => response.end(content));
    const last = async () => (await readFeed(database, id)).runs;
    const runs = await eventually(last, ([newest]) => newest?.outcome === 'imported', 2 * MINUTE);
    expect(runs.map(({ outcome }) => outcome)).toEqual(['imported', 'superseded']);
    expect(await effects(database)).toMatchObject({ added: [50], failures: 0 });
    expect(await readFeed(database, id)).toMatchObject({ failures: 0, state: 'waiting' });
    expect(await survivor.stop()).toBe(0);
  });

  test('a gateway that is stopped gives its run back at once', async () => {
    shop.serve('/stopped', () => {});
    const { id } = await addFeed(database, feedAt('/stopped'));
    await database.query('UPDATE feed SET every_seconds = 3600');
    const gateway = await startServerProcess({ DATABASE_URL: home.url, FEED_LEASE_SECONDS: '3600' });
    await shop.requested('/stopped', 1);
    expect(await gateway.stop()).toBe(0);
    const feed = await readFeed(database, id);
    expect(feed).toMatchObject({ state: 'waiting', failures: 0, lastRun: { outcome: 'superseded' } });
    expect(Number(feed.nextRunAt)).toBeLessThanOrEqual(Date.now());
  });
});
