/** `pda feeds`, as an operator uses it, with and without a running server. */
import { afterAll, expect, test } from 'vitest';
import { eventually } from '../harness/eventually.ts';
import { makeHome } from '../harness/home.ts';
import { forFile } from '../harness/lifetime.ts';
import { run, type ServerProcess, startServerProcess } from '../harness/process.ts';
import { answerFeed, someRows, startShopServer } from '../harness/shop-server.ts';

const SECRET_KEY = 'a test key that has enough characters';

let server: ServerProcess;
const pda = (...words: string[]) =>
  run('pda', ['feeds', ...words], { ...home.environment, SECRET_KEY, PUBLIC_URL: 'https://prices.test' });

const home = await forFile(makeHome());
const shop = await forFile(startShopServer());
afterAll(() => server?.kill());

test('a feed is added, pulled by the server, shown, and removed', async () => {
  shop.serve('/feed', answerFeed(someRows(10)));
  const address = `${shop.url('/feed')}?key=hunter2`;
  const words = ['add', address, '--merchant', 'A Shop', '--every', '15m', '--max-rows', '100', '--allow-private'];
  const added = await pda(...words, '--header', 'Authorization: Bearer swordfish', '--json');
  expect([added.status, added.stderr]).toEqual([0, '']);
  const { id, report } = JSON.parse(added.stdout);
  expect(report).toMatch(/^https:\/\/prices\.test\/feeds\/[\w-]{32,}$/);

  server = await startServerProcess({ ...home.environment, SECRET_KEY });
  await shop.requested('/feed', 1);
  shop.serve('/feed', answerFeed(someRows(11)));
  const pulled = await pda('run', id, '--wait', '--json');
  expect([pulled.status, pulled.stderr]).toEqual([0, '']);
  expect(JSON.parse(pulled.stdout)).toMatchObject({ outcome: 'imported', imported: { read: 11 } });

  shop.serve('/feed', answerFeed(someRows(1)));
  const refused = await pda('run', id, '--wait');
  expect([refused.status, refused.stderr]).toEqual([3, '']);
  expect(refused.stdout).toContain(`pda feeds run ${id} --confirm`);

  const shown = await pda('show', id, '--json');
  expect(JSON.parse(shown.stdout)).toMatchObject({
    id,
    report,
    every: '15m',
    state: 'needs confirmation',
    limits: { maxRows: 100 },
    runs: [{ outcome: 'refused' }, { outcome: 'imported' }, { outcome: 'imported' }],
  });
  const everywhere = await run('pda', ['feeds', 'show', id, '--json'], { ...home.environment, SECRET_KEY, HOST: '::' });
  expect(JSON.parse(everywhere.stdout).report).toBe(report.replace('https://prices.test', 'http://localhost:4000'));
  const list = await pda('list');
  expect(list.stdout).toContain('needs confirmation');
  for (const { stdout } of [added, pulled, refused, shown, list]) expect(stdout).not.toMatch(/hunter2|swordfish/);

  const edited = await pda('edit', id, '--every', '2h', '--no-headers', '--max-rows', 'default', '--delta', '--json');
  expect([edited.status, edited.stderr]).toEqual([0, '']);
  expect(JSON.parse(edited.stdout)).toMatchObject({ id, every: '2h', headers: [], limits: {}, mode: 'delta' });
  const said = await pda('edit', id, '--no-delta', '--encoding', 'default');
  expect(said).toMatchObject({ status: 0, stdout: expect.stringContaining(`Changed ${id}`) });

  expect((await pda('pause', id)).status).toBe(0);
  // An edited feed is due at once. A pause does not stop the run that is under way.
  await eventually(
    async () => JSON.parse((await pda('show', id, '--json')).stdout).state,
    (state) => state === 'paused',
    30_000,
  );
  expect((await pda('run', id)).status).toBe(2);
  expect(JSON.parse((await pda('remove', id, '--json')).stdout)).toMatchObject({ id });
  expect(await pda('show', id)).toMatchObject({ status: 4, stderr: expect.stringContaining('pda feeds list') });
});

test('a wrong command says what is allowed', async () => {
  const url = 'https://shop.example/feed.xml';
  expect(await pda('add', url, '--merchant', 'A', '--every', '30s')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('from 1m to 30d'),
  });
  expect(await pda('edit', 'fed_99', '--every', '1h')).toMatchObject({
    status: 4,
    stderr: expect.stringContaining('pda feeds list'),
  });
  expect(await pda('edit', 'fed_1')).toMatchObject({ status: 2, stderr: expect.stringContaining('at least one') });
  expect(await pda('edit', 'fed_1', '--no-headers', '--header', 'A: b')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('contradict'),
  });
  const inUrl = await pda('add', 'https://ada:swordfish@shop.example/', '--merchant', 'A', '--every', '1h');
  expect(inUrl).toMatchObject({ status: 2, stderr: expect.stringContaining('--header') });
  expect(inUrl.stderr).not.toContain('swordfish');
});
