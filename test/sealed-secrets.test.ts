/** Secrets that the service must be able to read again are sealed in the database: a backup of it does not tell them. */
import { chmodSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { listAudit } from '../src/access/audit.ts';
import { createKey } from '../src/access/key-admin.ts';
import type { Database } from '../src/database/database.ts';
import { countStale, sealStored } from '../src/database/sealed-columns.ts';
import { openVault } from '../src/database/vault.ts';
import { editFeed } from '../src/feeds/edit-feed.ts';
import { addFeed, listFeeds, readFeed, renewReport, runFeedSoon } from '../src/feeds/feeds.ts';
import { readReport } from '../src/feeds/read-report.ts';
import type { Log } from '../src/operations/log.ts';
import { prepareDatabase } from '../src/prepare-database.ts';
import { openTestDatabase } from './harness/database.ts';
import { posting, startTestGateway } from './harness/gateway.ts';
import { makeHome } from './harness/home.ts';
import { folderForFile, forTest } from './harness/lifetime.ts';
import { run } from './harness/process.ts';
import { allConfirmed, startReceiver, verify } from './harness/receiver.ts';
import { answerFeed, someRows, startShopServer } from './harness/shop-server.ts';

const folder = folderForFile('pda-sealed-');
const KEY = 'a random text of 32 characters, or more';
const OTHER_KEY = 'another random text of 32 characters or more';

/** The database as processes with these keys see it. */
const withKeys = (database: Database, present?: string, ...former: string[]): Database => ({
  ...database,
  vault: openVault({ present, former }),
});

const stored = async (database: Database) =>
  (
    await database.query<{ value: string }>(
      "SELECT secret AS value FROM webhook UNION ALL SELECT report_token FROM feed UNION ALL SELECT url FROM feed WHERE url LIKE '%?%'",
    )
  ).map(({ value }) => value);

const FEED = { url: 'https://shop.example/feed.xml', merchant: 'Shop', every: '1h' };
const WITH_TOKEN = { ...FEED, url: `${FEED.url}?token=hunter2` };
const WEBHOOK = { kinds: ['product_found'], filter: { codes: ['4006381333931'] } };
const tokenIn = async (database: Database, id: string) =>
  (await readFeed(database, id)).reportPath.split('/').at(-1) ?? '';

test('the secret of a webhook is sealed, and signs its messages; moved to another webhook, it cannot be read', async () => {
  const database = withKeys(await openTestDatabase(), KEY);
  const gateway = await forTest(startTestGateway({ WEBHOOKS_ALLOW_PRIVATE: 'true' }, database));
  const receiver = await forTest(startReceiver());
  const { key } = await gateway.makeKey('pro');
  const create = async () =>
    (await gateway.get('/api/v1/webhooks', { key, ...posting({ ...WEBHOOK, url: receiver.url }) })).body.data;
  const { id, secret } = await create();
  expect(await stored(database)).toEqual([expect.stringMatching(/^sealed:/)]);
  await allConfirmed(database);
  await gateway.get(`/api/v1/webhooks/${id}/test`, { key, ...posting({}) });
  const [message] = await receiver.messages(1);
  expect(message && verify(secret, message)).toMatchObject({ data: { webhookId: id } });

  const other = await create();
  await allConfirmed(database);
  await database.query(
    'UPDATE webhook SET secret = (SELECT min(secret) FROM webhook WHERE id < other.id) FROM webhook AS other WHERE webhook.id = other.id AND webhook.id = (SELECT max(id) FROM webhook)',
  );
  await gateway.get(`/api/v1/webhooks/${other.id}/test`, { key, ...posting({}) });
  const deliveries = async () => (await gateway.get(`/api/v1/webhooks/${other.id}/deliveries`, { key })).body.data;
  await expect
    .poll(deliveries, { timeout: 30_000 })
    .toEqual([expect.objectContaining({ lastError: expect.stringContaining('cannot read the secret') })]);
  expect(receiver.received).toHaveLength(1);
});

test('the token of a report is sealed, found by its digest, and ends with its renewal', async () => {
  const database = withKeys(await forTest(openTestDatabase()), KEY);
  const { id } = await addFeed(database, FEED);
  const token = await tokenIn(database, id);
  const [sealed = ''] = await stored(database);
  expect([sealed.startsWith('sealed:'), sealed.includes(token)]).toEqual([true, false]);
  expect(await readReport(database, token)).toBeDefined();
  for (const part of sealed.split(':')) expect(await readReport(database, part)).toBeUndefined();
  await renewReport(database, id);
  expect(await readReport(database, token)).toBeUndefined();
  expect(await readReport(database, await tokenIn(database, id))).toBeDefined();
});

test('the address of a feed is sealed if it has a query, and pulled, shown, compared and changed as others; moved to another feed, it cannot be read', async () => {
  const shop = await forTest(startShopServer());
  shop.serve('/feed', answerFeed(someRows(2)));
  const database = withKeys(await openTestDatabase(), KEY);
  await forTest(startTestGateway({ FEEDS: 'on', SECRET_KEY: KEY }, database));
  const by = { secretKey: KEY };
  const token = 'hunter2'.repeat(270);
  const url = shop.url(`/feed?token=${token}`);
  const feed = { url, merchant: 'Shop', every: '1d', allowPrivate: true, headers: ['X-Shop: 7'] };
  const { id } = await addFeed(database, feed, by);
  const lastRun = (of: string) => expect.poll(async () => (await readFeed(database, of)).lastRun, { timeout: 30_000 });
  const succeeded = { outcome: expect.stringMatching(/^(imported|unchanged)$/) };
  await lastRun(id).toMatchObject(succeeded);
  await expect(addFeed(database, feed, by)).rejects.toThrow(`it is ${id}`);
  const other = await addFeed(database, { ...feed, url: shop.url('/feed?token=swordfish') }, by);
  await expect(editFeed(database, other.id, { url }, by)).rejects.toThrow(`it is ${id}`);
  await editFeed(database, id, { url: shop.url('/feed?token=tuna') }, by);
  await editFeed(database, id, { every: '2d' }, by);
  const asked = () => shop.requests('/feed').map(({ url: path, headers }) => [path, headers['x-shop']]);
  const expected = [token, 'swordfish', 'tuna'].map((value) => [`/feed?token=${value}`, '7']);
  await expect.poll(asked, { timeout: 30_000 }).toEqual(expect.arrayContaining(expected));
  await lastRun(other.id).toMatchObject(succeeded);

  const shown = await listFeeds(database);
  expect(shown.map((each) => each.url)).toEqual([shop.url('/feed?token=…'), shop.url('/feed?token=…')]);
  const rows = await database.query('SELECT feed::text, feed_run::text FROM feed JOIN feed_run ON feed_id = feed.id');
  expect(JSON.stringify([rows, shown, await listAudit(database)])).not.toMatch(/hunter2|swordfish|tuna/);

  await database.query('UPDATE feed SET url = (SELECT min(url) FROM feed WHERE id = 1) WHERE id = 2');
  await runFeedSoon(database, other.id);
  await lastRun(other.id).toMatchObject({
    outcome: 'failed',
    message: expect.stringContaining(`give the URL again with \`pda feeds edit ${other.id} --url\``),
  });
  await expect(editFeed(database, other.id, { isDelta: true }, by)).rejects.toThrow('give the URL again');
  await expect(editFeed(database, other.id, { url }, by)).rejects.toThrow('Give them again (--header)');
  await editFeed(database, other.id, { url, headers: feed.headers }, by);
  await lastRun(other.id).toMatchObject(succeeded);
});

describe('secrets that were stored as they are', () => {
  test('can be read, and are sealed in steps, also under another key', async () => {
    const plain = await forTest(openTestDatabase());
    const { id } = await addFeed(plain, FEED);
    const { id: other } = await addFeed(plain, WITH_TOKEN);
    const token = await tokenIn(plain, id);
    await createKey(plain, { name: 'client', plan: 'pro' });
    const webhooks = 501;
    const many = webhooks + 3;
    await plain.query(
      `INSERT INTO webhook (key_id, url, secret, kinds) SELECT api_key.id, 'x', 'whsec_' || n, '{new_low}' FROM api_key, generate_series(1, ${webhooks}) AS n`,
    );
    const first = withKeys(plain, KEY);
    expect(await tokenIn(first, id)).toBe(token);
    expect(await sealStored(first)).toBe(many);
    await expect(addFeed(first, WITH_TOKEN)).rejects.toThrow(`it is ${other}`);
    expect(await readReport(first, token)).toBeDefined();

    const changed = withKeys(plain, OTHER_KEY);
    expect(await sealStored(changed)).toBe(0);
    expect(await countStale(changed)).toBe(many);
    expect(await tokenIn(changed, id)).toContain('unreadable');
    const rotated = withKeys(plain, OTHER_KEY, KEY);
    expect(await tokenIn(rotated, id)).toBe(token);
    await expect(addFeed(rotated, WITH_TOKEN)).rejects.toThrow(`it is ${other}`);
    expect(await sealStored(rotated)).toBe(many);
    expect([await tokenIn(changed, id), await countStale(changed)]).toEqual([token, 0]);
    expect((await stored(plain)).every((each) => each.startsWith('sealed:'))).toBe(true);
    expect((await listFeeds(plain)).map(({ url }) => url)).toEqual([FEED.url, `${FEED.url}?token=…`]);
  });

  test('are reported by pda doctor, with the way on, and sealed by pda seal', async () => {
    const home = await forTest(makeHome());
    await home.within((database) => addFeed(database, FEED));
    const secrets = async (environment: Record<string, string>) => {
      const { stdout } = await run('pda', ['doctor', '--json'], { ...home.environment, ...environment });
      return JSON.parse(stdout).checks.find(({ name }: { name: string }) => name === 'secrets');
    };
    expect(await secrets({})).toMatchObject({ status: 'warning', remedy: expect.stringContaining('pda seal') });
    const environment = { ...home.environment, SECRET_KEY: KEY };
    expect((await run('pda', ['seal'], home.environment)).status).toBe(2);
    expect(JSON.parse((await run('pda', ['seal', '--json'], environment)).stdout)).toEqual({
      sealed: 1,
      left: 0,
      total: 1,
    });
    expect(await secrets({ SECRET_KEY: KEY })).toMatchObject({ status: 'ok' });
    const unreadable = { status: 'problem', says: expect.stringMatching(/^1 of 1 .* cannot be read/) };
    for (const other of [{}, { SECRET_KEY: OTHER_KEY }]) expect(await secrets(other)).toMatchObject(unreadable);
    const rotated = { SECRET_KEY: OTHER_KEY, SECRET_KEY_FORMER: KEY };
    expect(await secrets(rotated)).toMatchObject({ status: 'warning', remedy: expect.stringContaining('pda seal') });
    const forgotten = await run('pda', ['seal'], { ...home.environment, SECRET_KEY: OTHER_KEY });
    expect(forgotten).toMatchObject({ status: 1, stdout: expect.stringContaining('1 of 1 cannot be read. Set the') });
  });

  test('and cannot be read are named in the log at the start', async () => {
    const database = await forTest(openTestDatabase());
    await addFeed(withKeys(database, KEY), FEED);
    const warnings = vi.fn();
    const log = { info: vi.fn(), warn: warnings } as unknown as Log;
    await prepareDatabase(withKeys(database, KEY), log);
    expect(warnings).not.toHaveBeenCalled();
    for (const lost of [withKeys(database), withKeys(database, OTHER_KEY)]) await prepareDatabase(lost, log);
    expect(warnings.mock.calls).toEqual(Array(2).fill([expect.stringMatching(/^1 secret .* cannot be read\. Set/)]));
  });
});

test('the embedded database seals under a key of its own in a private file, which pda move leaves behind, which reading does not make, and whose loss is told', async () => {
  const target = await forTest(makeHome());
  const environment = { DATA_DIR: folder };
  const added = await run(
    'pda',
    ['feeds', 'add', WITH_TOKEN.url, '--merchant', 'Shop', '--every', '1h', '--json'],
    environment,
  );
  const { report } = JSON.parse(added.stdout);
  const keyFile = join(folder, 'secret-key');
  expect(readdirSync(folder).filter((name) => name.startsWith('secret-key'))).toEqual(['secret-key']);
  expect(statSync(keyFile).mode & 0o777).toBe(0o600);
  expect((await run('pda', ['seal'], environment)).stdout).toBe('All 2 secrets are sealed under the present key.\n');
  const to = target.environment.DATABASE_URL ?? '';
  const moved = await run('pda', ['move', '--to', to], { ...environment, SECRET_KEY: KEY });
  expect(moved.stderr).toBe('');
  await target.within(async (database) => {
    const sealed = expect.stringMatching(/^sealed:/);
    expect(await stored(database)).toEqual([sealed, sealed]);
    await expect(addFeed(withKeys(database, KEY), WITH_TOKEN)).rejects.toThrow('it is fed_1');
    const { reportPath } = await readFeed(withKeys(database, KEY), 'fed_1');
    expect(report).toContain(reportPath);
  });

  const doctor = async () => (await run('pda', ['doctor'], environment)).stdout;
  expect(await doctor()).not.toContain('key file');
  chmodSync(keyFile, 0o640);
  expect(await doctor()).toMatch(/warning\s+key file .*\n.*chmod go-rwx/);
  const backup = join(folder, 'backup.pda');
  await run('pda', ['backup', backup], environment);
  const restored = await run('pda', ['restore', backup], { DATA_DIR: join(folder, 'restored') });
  expect(restored).toMatchObject({
    status: 0,
    stderr: expect.stringMatching(/2 secrets .*put back DATA_DIR\/secret-key/),
  });

  writeFileSync(keyFile, 'half a key');
  const refused = await run('pda', ['seal'], environment);
  expect(refused).toMatchObject({ status: 2, stderr: expect.stringContaining('is empty or incomplete') });
  rmSync(keyFile);
  for (const words of [['doctor'], ['feeds', 'list']]) await run('pda', words, environment);
  expect(readdirSync(folder)).not.toContain('secret-key');
});
