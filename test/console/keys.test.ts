/** The console's pages of keys, over HTTP as a browser without JavaScript uses them. */
import { describe, expect, test } from 'vitest';
import { listAudit } from '../../src/access/audit.ts';
import { createKey, createKeys, listKeys, revokeKey, rotateKey, showKey, usageOf } from '../../src/access/key-admin.ts';
import { setTerms } from '../../src/access/key-limits.ts';
import { monthOf } from '../../src/access/meter.ts';
import { decodeId } from '../../src/values/id.ts';
import { type Answer, startTestGateway } from '../harness/gateway.ts';
import { forFile } from '../harness/lifetime.ts';
import { fieldsOf, signInTo } from '../harness/operator.ts';

const NEW = '/console/keys/new';
const SECRET = /pda_[0-9A-Za-z]{38}/;
const HOSTILE = '<img src=x onerror=alert(1)>"\'&\u202egnp.exe \u2066';

const gateway = await forFile(startTestGateway({ CONSOLE: 'on' }));
const operator = await signInTo(gateway);

const make = (name: string) => createKey(gateway.database, { name, plan: 'starter' });
const worksNow = async (key: string) => (await gateway.get('/api/v1/products', { key })).status === 200;
const field = ({ text }: Answer, name: string) =>
  new RegExp(`<(?:input|select)[^>]*name="${name}"[^>]*>`).exec(text)?.[0];

describe('a new key', () => {
  test('is shown once, on the answer to its form, and works', async () => {
    const answer = await operator.send(NEW, NEW, {
      name: 'A client',
      plan: 'pro',
      rateLimit: '7',
      monthlyQuota: '250000',
      lastDay: '2999-12-31',
    });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const key = SECRET.exec(answer.text)?.[0] ?? '';
    expect(await worksNow(key)).toBe(true);
    const [record] = await listKeys(gateway.database, { where: `key.name = 'A client'` });
    expect(record).toMatchObject({
      plan: 'pro',
      rateLimit: 7,
      monthlyQuota: 250_000,
      expiresAt: new Date('3000-01-01T00:00:00Z'),
    });
    for (const path of ['/console/keys', `/console/keys/${record?.id}`]) {
      const page = await operator.get(path);
      expect(page.text).toContain(key.slice(0, 8));
      expect(page.text).not.toMatch(SECRET);
    }
    const [entry] = await listAudit(gateway.database, { keyId: record?.id });
    expect(entry).toMatchObject({ action: 'key.create', actor: expect.stringMatching(/^console ses_\w+ of /) });
    expect(JSON.stringify(entry)).not.toMatch(SECRET);
  });

  test('is made once if its form is sent twice, and the second answer says what happened', async () => {
    const fields = { ...fieldsOf((await operator.get(NEW)).text, NEW), name: 'Sent twice', plan: 'free' };
    const both = await Promise.all([operator.post(NEW, fields), operator.post(NEW, fields)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    const again = await operator.post(NEW, { ...fields, name: 'Sent again' });
    const made = await listKeys(gateway.database, { where: `key.name LIKE 'Sent %'` });
    expect(made.map(({ name }) => name)).toEqual(['Sent twice']);
    expect(again.status).toBe(409);
    expect(again.text).toContain('nothing more was made');
    expect(again.text).toContain(`href="/console/keys/${made[0]?.id}"`);
    expect(again.text).not.toMatch(SECRET);
  });

  test('is refused beside each wrong field, and the form keeps what was entered', async () => {
    const wrong = { name: ' ', plan: 'gold', rateLimit: '1e3', monthlyQuota: '-1', lastDay: '2001-01-01' };
    const answer = await operator.send(NEW, NEW, wrong);
    expect(answer.status).toBe(400);
    for (const name of ['name', 'rateLimit', 'monthlyQuota', 'lastDay']) {
      expect(field(answer, name)).toContain('aria-invalid="true"');
      expect(field(answer, name)).toContain(`new-${name}-error`);
    }
    expect(field(answer, 'rateLimit')).toContain('value="1e3"');
    expect(answer.text).toContain('The rate limit must be a whole number from 1 to 999999999; got 1e3.');
    expect(answer.text).toContain('The last day 2001-01-01 is in the past.');
    // The same form can be sent once it is correct.
    const corrected = { name: 'Corrected', plan: 'free', rateLimit: '', monthlyQuota: '0', lastDay: '' };
    expect((await operator.send(answer, NEW, corrected)).status).toBe(200);
    const [record] = await listKeys(gateway.database, { where: `key.name = 'Corrected'` });
    expect(record).toMatchObject({ plan: 'free', monthlyQuota: 0 });
    expect(record).not.toHaveProperty('rateLimit');
  });

  test('is not made without the token of the session, or without the name of the form', async () => {
    const fields = { ...fieldsOf((await operator.get(NEW)).text, NEW), name: 'Forged', plan: 'free' };
    expect((await operator.post(NEW, { ...fields, csrf: 'x' })).status).toBe(403);
    expect((await operator.post(NEW, { ...fields, form: 'x' })).status).toBe(400);
    expect(await listKeys(gateway.database, { where: `key.name = 'Forged'` })).toEqual([]);
  });
});

describe('the list of keys', () => {
  test('finds keys by name, first characters and id, and a whole key without repeating it', async () => {
    const { id, key } = await make('Needle & Søn');
    await make('Another');
    for (const text of ['needle', 'SØN', key.slice(0, 8), id, key]) {
      const { status, text: html } = await operator.get(`/console/keys?query=${encodeURIComponent(text)}`);
      expect(status).toBe(200);
      expect(html).toContain(`href="/console/keys/${id}"`);
      expect(html).not.toContain('>Another<');
      expect(html).not.toMatch(SECRET);
    }
    expect((await operator.get('/console/keys?query=100%25')).text).toContain('No key has this name');
  });

  test('is read page by page, and no page is longer than fifty rows', async () => {
    const many = Array.from({ length: 101 }, (_, index) => ({ name: `Paged ${index}.`, plan: 'free' as const }));
    await createKeys(gateway.database, many);
    const seen: string[] = [];
    let path: string | undefined = '/console/keys?query=Paged';
    while (path !== undefined) {
      const { text }: Answer = await operator.get(path);
      const names: string[] = Array.from(text.matchAll(/<bdi>(Paged \d+\.)/g), ([, name = '']) => name);
      expect(names.length).toBeLessThanOrEqual(50);
      seen.push(...names);
      path = /href="(\/console\/keys\?[^"]*after=[^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&');
    }
    expect(seen).toEqual(many.map(({ name }) => name).reverse());
  });

  test.each([
    ['a damaged cursor', '?after=x'],
    ['a text that is too long', `?query=${'x'.repeat(101)}`],
    ['a NUL character', '?query=a%00b'],
    ['broken UTF-8', '?query=%ff'],
    ['the same field twice', '?query=a&query=b'],
  ])('answers %s with a page that says what is wrong', async (_name, query) => {
    const { status, text } = await operator.get(`/console/keys${query}`);
    expect(status).toBe(400);
    expect(text).toContain('role="alert"');
  });
});

describe('the page of a key', () => {
  test('shows its usage by day in any month', async () => {
    const { id } = await make('Used');
    await gateway.database.query(
      `INSERT INTO usage_counter (key_id, month, quota, used, granted, day_starts)
       VALUES ($1, '2026-02', 10000, 1234, 1, ARRAY[0, 1000]::bigint[]), ($1, $2, 10000, 5, 1, ARRAY[0]::bigint[])`,
      [decodeId('key', id), monthOf(new Date())],
    );
    expect((await operator.get(`/console/keys/${id}`)).text).toContain('5 of 10,000 requests');
    const { text } = await operator.get(`/console/keys/${id}?month=2026-02`);
    expect(text).toContain('1,234 of 10,000 requests');
    expect(text).toMatch(/<title>1 Feb 2026: Requests 1,000<\/title>/);
    expect(text).toContain(`/console/keys/${id}?month=2026-01#usage`);
    for (const month of ['2026-13', '9999-01', '1999-12', 'x']) {
      expect((await operator.get(`/console/keys/${id}?month=${month}`)).status).toBe(400);
    }
  });

  test('changes plan and limits together, records it, and opens again by GET', async () => {
    const { id } = await make('Changed');
    const path = `/console/keys/${id}`;
    const answer = await operator.send(path, path, { plan: 'pro', monthlyQuota: '9', lastDay: '2999-01-01' });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `${path}?done=terms`]);
    expect((await operator.get(`${path}?done=terms`)).text).toContain('were saved');
    expect(await showKey(gateway.database, id)).toMatchObject({ plan: 'pro', monthlyQuota: 9 });
    expect((await usageOf(gateway.database, { keyId: id }))[0]).toMatchObject({ quota: 9 });
    const page = await operator.get(path);
    expect(fieldsOf(page.text, path)).toMatchObject({
      plan: 'pro',
      rateLimit: '',
      monthlyQuota: '9',
      lastDay: '2999-01-01',
    });
    expect(page.text).toContain('key.set-limits');
    await operator.send(path, path, { monthlyQuota: '', lastDay: '' });
    expect(await showKey(gateway.database, id)).not.toHaveProperty('monthlyQuota');
    expect(await showKey(gateway.database, id)).not.toHaveProperty('expiresAt');
    const actions = (await listAudit(gateway.database, { keyId: id })).map(({ action }) => action);
    expect(actions).toEqual(['key.create', 'key.set-plan', 'key.set-limits', 'key.set-limits']);
  });

  test('does not overwrite what somebody else has changed since the page was opened', async () => {
    const { id } = await make('Changed by two');
    const path = `/console/keys/${id}`;
    const opened = await operator.get(path);
    await setTerms(gateway.database, id, { plan: 'enterprise' });
    const answer = await operator.send(opened, path, { rateLimit: '5' });
    expect(answer.status).toBe(409);
    expect(answer.text).toContain('somebody else has changed this key');
    expect(field(answer, 'rateLimit')).toContain('value="5"');
    expect(await showKey(gateway.database, id)).toMatchObject({ plan: 'enterprise' });
    expect(await showKey(gateway.database, id)).not.toHaveProperty('rateLimit');
  });

  test('keeps the last day of a key that has expired, and can extend it', async () => {
    const expiresAt = new Date('2020-01-01T00:00:00Z');
    const { id, key } = await createKey(gateway.database, { name: 'Expired', plan: 'free', expiresAt });
    const path = `/console/keys/${id}`;
    expect((await operator.get(path)).text).toContain('expired 2019-12-31');
    expect((await operator.send(path, path, { plan: 'pro' })).status).toBe(303);
    expect(await showKey(gateway.database, id)).toMatchObject({ plan: 'pro', expiresAt });
    expect((await operator.send(path, path, { lastDay: '2999-12-31' })).status).toBe(303);
    expect(await worksNow(key)).toBe(true);
  });

  test('rotates the key once, and shows the new text once', async () => {
    const { id, key } = await make('Rotated');
    const path = `/console/keys/${id}`;
    const page = await operator.get(path);
    const wrong = await operator.send(page, `${path}/rotate`, { graceHours: 'soon' });
    expect(wrong.status).toBe(400);
    expect(wrong.text).toContain('The time must be a number of hours from 0 to 8760; got soon.');
    const answer = await operator.send(page, `${path}/rotate`, { graceHours: '0' });
    const rotated = SECRET.exec(answer.text)?.[0] ?? '';
    expect(answer.status).toBe(200);
    expect(rotated).not.toBe(key);
    expect([await worksNow(rotated), await worksNow(key)]).toEqual([true, false]);
    const again = await operator.send(page, `${path}/rotate`, { graceHours: '0' });
    expect(again.status).toBe(409);
    expect(again.text).not.toMatch(SECRET);
    expect(await worksNow(rotated)).toBe(true);
    expect((await listAudit(gateway.database, { keyId: id })).at(-1)).toMatchObject({
      action: 'key.rotate',
      actor: expect.stringMatching(/^console ses_/),
    });
  });

  test('revokes the key after a confirmation, and offers nothing more then', async () => {
    const { id, key } = await make('Revoked');
    const path = `/console/keys/${id}`;
    const unsure = await operator.send(path, `${path}/revoke`);
    expect(unsure.status).toBe(400);
    expect(unsure.text).toContain('Tick this box');
    expect(await worksNow(key)).toBe(true);
    const answer = await operator.send(path, `${path}/revoke`, { sure: 'yes' });
    expect(answer.headers.get('location')).toBe(`${path}?done=revoked`);
    const page = await operator.get(path);
    expect(page.text).toMatch(/class="badge bad">revoked \d{4}-\d\d-\d\d</);
    expect(page.text).not.toContain(`action="${path}/rotate"`);
  });

  test('says what to do if the key was revoked after the page was opened', async () => {
    const { id } = await make('Revoked meanwhile');
    const path = `/console/keys/${id}`;
    const page = await operator.get(path);
    await revokeKey(gateway.database, id);
    const answer = await operator.send(page, `${path}/rotate`);
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('is revoked: create a new one');
    // Nothing was made, so the form has not been used up; another key can still be rotated.
    const other = await make('Other');
    expect((await rotateKey(gateway.database, other.id, 0)).id).toBe(other.id);
  });

  test.each([
    'key_zzzz',
    'prd_1',
    'x',
    '%00',
    'key_1%00',
    '%F0%9F%94%91',
    '..%2f',
    'key_zzzzzzzzzzzzzzz',
  ])('for %s is a page that the key is unknown', async (id) => {
    const { status, text } = await operator.get(`/console/keys/${id}`);
    expect(status).toBe(404);
    expect(text).toContain('<h1>Not found</h1>');
    for (const action of ['', '/rotate', '/revoke']) {
      const fields = fieldsOf((await operator.get(NEW)).text, NEW);
      expect((await operator.post(`/console/keys/${id}${action}`, { ...fields, sure: 'yes' })).status).toBe(404);
    }
  });

  test('changes nothing by GET', async () => {
    const { id } = await make('Untouched');
    for (const path of [`/console/keys/${id}?sure=yes&plan=pro`, NEW]) await operator.get(path);
    for (const action of ['rotate', 'revoke']) {
      expect((await operator.get(`/console/keys/${id}/${action}?sure=yes`)).status).toBe(405);
    }
    expect((await listAudit(gateway.database, { keyId: id })).map(({ action }) => action)).toEqual(['key.create']);
  });
});

test('a hostile name is text on every page, isolated from what stands beside it', async () => {
  const { id } = await make(HOSTILE);
  for (const path of ['/console/keys', `/console/keys?query=${encodeURIComponent('<img')}`, `/console/keys/${id}`]) {
    const { text } = await operator.get(path);
    expect(text).toContain("<bdi>&lt;img src=x onerror=alert(1)>&quot;'&amp;\\u202egnp.exe \\u2066</bdi>");
    expect(text).not.toContain('<img src=x');
    expect(text).not.toMatch(/[\u202e\u2066]/);
    expect(text.replace(/<bdi>[^<]*<\/bdi>/g, '')).not.toContain('onerror');
  }
  const wrong = await operator.send(NEW, NEW, { name: '"><script>', plan: 'x' });
  expect(wrong.text).not.toContain('<script>');
});
