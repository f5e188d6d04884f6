/** Secrets that the service must be able to read again are sealed in the database: a backup of it does not tell them. */
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createKey } from '../src/access/key-admin.ts';
import type { Database } from '../src/database/database.ts';
import { countStale, sealStored } from '../src/database/sealed-columns.ts';
import { openVault } from '../src/database/vault.ts';
import { addFeed, readFeed, renewReport } from '../src/feeds/feeds.ts';
import { readReport } from '../src/feeds/read-report.ts';
import { openTestDatabase } from './harness/database.ts';
import { posting, startTestGateway } from './harness/gateway.ts';
import { makeHome } from './harness/home.ts';
import { forTest } from './harness/lifetime.ts';
import { run } from './harness/process.ts';
import { allConfirmed, startReceiver, verify } from './harness/receiver.ts';

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
      'SELECT secret AS value FROM webhook UNION ALL SELECT report_token FROM feed',
    )
  ).map(({ value }) => value);

const FEED = { url: 'https://shop.example/feed.xml', merchant: 'Shop', every: '1h' };
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

describe('secrets that were stored as they are', () => {
  test('can be read, and are sealed in steps, also under another key', async () => {
    const plain = await forTest(openTestDatabase());
    const { id } = await addFeed(plain, FEED);
    const token = await tokenIn(plain, id);
    await createKey(plain, { name: 'client', plan: 'pro' });
    const many = 501;
    await plain.query(
      `INSERT INTO webhook (key_id, url, secret, kinds) SELECT api_key.id, 'x', 'whsec_' || n, '{new_low}' FROM api_key, generate_series(1, ${many}) AS n`,
    );
    const first = withKeys(plain, KEY);
    expect(await tokenIn(first, id)).toBe(token);
    expect(await sealStored(first)).toBe(many + 1);
    expect(await readReport(first, token)).toBeDefined();

    const changed = withKeys(plain, OTHER_KEY);
    expect(await sealStored(changed)).toBe(0);
    expect(await countStale(changed)).toBe(many + 1);
    expect(await tokenIn(changed, id)).toContain('unreadable');
    const rotated = withKeys(plain, OTHER_KEY, KEY);
    expect(await tokenIn(rotated, id)).toBe(token);
    expect(await sealStored(rotated)).toBe(many + 1);
    expect([await tokenIn(changed, id), await countStale(changed)]).toEqual([token, 0]);
    expect((await stored(plain)).every((each) => each.startsWith('sealed:'))).toBe(true);
  });

  test('are reported by pda doctor, with the way on, and sealed by pda seal', async () => {
    const home = await makeHome();
    onTestFinished(() => home.remove());
    await home.within((database) => addFeed(database, FEED));
    const secrets = async (environment: Record<string, string>) => {
      const { stdout } = await run('pda', ['doctor', '--json'], { ...home.environment, ...environment });
      return JSON.parse(stdout).checks.find(({ name }: { name: string }) => name === 'secrets');
    };
    expect(await secrets({})).toMatchObject({ status: 'warning', remedy: expect.stringContaining('pda seal') });
    const environment = { ...home.environment, SECRET_KEY: KEY };
    expect((await run('pda', ['seal'], home.environment)).status).toBe(2);
    expect(JSON.parse((await run('pda', ['seal', '--json'], environment)).stdout)).toEqual({ sealed: 1, left: 0 });
    expect(await secrets({ SECRET_KEY: KEY })).toMatchObject({ status: 'ok' });
    expect(await secrets({})).toMatchObject({ status: 'warning', says: expect.stringContaining('cannot be read') });
  });
});

test('the embedded database seals under a key of its own in a private file, which pda move leaves behind, and which reading does not make', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pda-sealed-'));
  const target = await makeHome();
  onTestFinished(async () => {
    rmSync(folder, { recursive: true, force: true });
    await target.remove();
  });
  const environment = { DATA_DIR: folder };
  const added = await run(
    'pda',
    ['feeds', 'add', FEED.url, '--merchant', 'Shop', '--every', '1h', '--json'],
    environment,
  );
  const { report } = JSON.parse(added.stdout);
  expect(readdirSync(folder)).toContain('secret-key');
  expect(statSync(join(folder, 'secret-key')).mode & 0o777).toBe(0o600);
  const to = target.environment.DATABASE_URL ?? '';
  const moved = await run('pda', ['move', '--to', to], { ...environment, SECRET_KEY: KEY });
  expect(moved.stderr).toBe('');
  await target.within(async (database) => {
    expect(await stored(database)).toEqual([expect.stringMatching(/^sealed:/)]);
    const { reportPath } = await readFeed(withKeys(database, KEY), 'fed_1');
    expect(report).toContain(reportPath);
  });

  rmSync(join(folder, 'secret-key'));
  for (const words of [['doctor'], ['feeds', 'list']]) await run('pda', words, environment);
  expect(readdirSync(folder)).not.toContain('secret-key');
});
