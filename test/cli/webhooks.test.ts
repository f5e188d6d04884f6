/** `pda webhooks`, as operators and scripts use it. */
import { afterAll, expect, test } from 'vitest';
import { createKey } from '../../src/access/key-admin.ts';
import { feedRow, importRows } from '../harness/gateway.ts';
import { makeHome } from '../harness/home.ts';
import { forFile } from '../harness/lifetime.ts';
import { run } from '../harness/process.ts';

const URL = 'https://[2d00::1]/hooks';

const home = await forFile(makeHome());
const database = home.open();
await importRows(database, 'Shop', [feedRow({ id: 'a', brand: 'Acme' })]);
const { id: key } = await createKey(database, { name: 'A client', plan: 'free' });
afterAll(() => database.close());

const pda = (...words: string[]) => run('pda', ['webhooks', ...words], home.environment);
const json = async (...words: string[]) => {
  const { status, stdout, stderr } = await pda(...words, '--json');
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return JSON.parse(stdout);
};

test('an operator creates, shows, tests, disables and deletes a webhook of any key', async () => {
  const creation = [
    'create',
    '--key',
    'A client',
    '--url',
    URL,
    '--kind',
    'new_low',
    'back_in_stock',
    '--brand',
    'acme',
  ];
  const { secret, ...created } = await json(...creation);
  expect(secret).toMatch(/^whsec_/);
  expect(created).toMatchObject({
    key,
    url: URL,
    kinds: ['new_low', 'back_in_stock'],
    filter: { brand: 'acme' },
    enabled: false,
    confirmed: false,
  });
  expect(await json('list', '--key', key)).toEqual([created]);
  const shown = await pda('show', created.id);
  expect(shown.stdout).toContain(URL);
  expect(shown.stdout).not.toContain('whsec_');
  const unsent = await pda('test', created.id);
  expect([unsent.status, unsent.stderr]).toEqual([2, expect.stringContaining(`pda webhooks confirm ${created.id}`)]);
  expect((await pda('enable', created.id)).stdout).toContain('It is not enabled yet');
  const confirmed = await json('confirm', created.id);
  expect(confirmed).toMatchObject({ id: created.id, enabled: true, confirmed: true });
  const delivery = await json('test', created.id);
  expect(await json('deliveries', created.id)).toEqual([delivery]);
  // It still waits to be sent.
  expect(await json('replay', created.id, '--from', '2020-01-01')).toEqual({ count: 0 });
  await database.query('UPDATE webhook_delivery SET delivered_at = now()');
  // Tests are sent again only by their ids.
  expect(await json('replay', created.id, '--from', '2020-01-01')).toEqual({ count: 0 });
  expect(await json('replay', created.id, '--delivery', delivery.id)).toEqual({ count: 1 });
  const unclear = await pda('replay', created.id);
  expect([unclear.status, unclear.stderr]).toEqual([2, expect.stringContaining('exactly one of')]);
  const disabled = await json('disable', created.id);
  expect(disabled).toMatchObject({ enabled: false, disabledReason: 'Disabled by the operator: ask why.' });
  expect((await pda('test', created.id)).status).toBe(2);
  expect(await json('enable', created.id)).toEqual(confirmed);
  const refused = await pda(...creation);
  expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining('as many as the Free plan allows')]);
  expect(await json('delete', created.id)).toEqual({ id: created.id });
  const gone = await pda('show', created.id);
  expect([gone.status, gone.stderr]).toEqual([4, expect.stringContaining('pda webhooks list')]);
});
