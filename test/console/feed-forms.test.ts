/** The forms of the console that add and change feeds, over HTTP as a browser without JavaScript sends them. */
import { describe, expect, test } from 'vitest';
import { listAudit } from '../../src/access/audit.ts';
import { addFeed, listFeeds, readFeed } from '../../src/feeds/feeds.ts';
import { startTestGateway } from '../harness/gateway.ts';
import { forFile } from '../harness/lifetime.ts';
import { signInTo } from '../harness/operator.ts';

const SECRET_KEY = 'a test key that has enough characters';
const NEW = '/console/feeds/new';

const gateway = await forFile(
  startTestGateway({ CONSOLE: 'on', FEEDS: 'off', SECRET_KEY, RATE_LIMIT_PUBLIC: '100000' }),
);
const operator = await signInTo(gateway);

const feedsOf = async (merchant: string) =>
  (await listFeeds(gateway.database)).filter((feed) => feed.merchant === merchant);
/** The part of a page that describes a field. */
const isInvalid = (html: string, name: string) =>
  new RegExp(`<(?:input|textarea)[^>]* name="${name}"[^>]*aria-invalid="true"`).test(html);

describe('a new feed', () => {
  test('is added by the function of `pda feeds add`, in the name of the session', async () => {
    expect((await operator.get('/console/feeds')).text).toContain(`href="${NEW}"`);
    const answer = await operator.send(NEW, NEW, {
      merchant: 'A <b>Shop</b>',
      url: 'https://shop.example/feed.xml?key=hunter2#top',
      every: '15m',
      mode: 'delta',
      headers: 'Authorization: Bearer swordfish\r\nX-Shop: 7\r\n',
      encoding: 'windows-1252',
      maxBytes: '2GiB',
      maxRows: '1000',
      maxRejects: '0',
    });
    const [feed] = await feedsOf('A <b>Shop</b>');
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `/console/feeds/${feed?.id}?done=add`]);
    expect(feed).toMatchObject({
      url: 'https://shop.example/feed.xml?key=…',
      every: '15m',
      mode: 'delta',
      headers: ['authorization', 'x-shop'],
      allowPrivate: false,
      encoding: 'windows-1252',
      limits: { maxBytes: 2 ** 31, maxRows: 1_000, maxRejects: 0 },
    });
    const page = (await operator.get(`/console/feeds/${feed?.id}?done=add`)).text;
    expect(page).toContain('The feed was added.');
    expect(page).not.toMatch(/hunter2|swordfish/);
    const [entry] = await listAudit(gateway.database, { action: 'feed.add' });
    expect(entry).toMatchObject({ actor: expect.stringMatching(/^console ses_/), after: { feed: feed?.id } });
  });

  test('needs no more than a shop, an address and an interval', async () => {
    const answer = await operator.send(NEW, NEW, { merchant: 'Plain', url: 'http://10.0.0.1/f', allowPrivate: 'yes' });
    expect(answer.status).toBe(303);
    const [feed] = await feedsOf('Plain');
    expect(feed).toMatchObject({ every: '1h', mode: 'full', headers: [], limits: {}, allowPrivate: true });
    expect(feed).not.toHaveProperty('encoding');
  });

  test('is refused beside each wrong field, and the form keeps what was entered, but no headers', async () => {
    const wrong = {
      merchant: ' ',
      url: 'ftp://shop.example/"f',
      every: '30s',
      headers: 'Authorization: Bearer swordfish',
      allowPrivate: 'yes',
      encoding: 'klingon',
      maxBytes: '3 XB',
      maxRows: '0',
      maxRejects: '-1',
    };
    const answer = await operator.send(NEW, NEW, wrong);
    expect(answer.status).toBe(400);
    for (const name of Object.keys(wrong)) {
      expect([name, isInvalid(answer.text, name)]).toEqual([name, name !== 'allowPrivate']);
    }
    expect(answer.text).toContain('value="ftp://shop.example/&quot;f"');
    expect(answer.text).toMatch(/<input[^>]*name="allowPrivate"[^>]* checked/);
    expect(answer.text).toContain('must be a time from 1m to 30d');
    expect(answer.text).not.toMatch(/swordfish|--every|--merchant/);
    // The same form can be sent once it is correct.
    const corrected = { ...wrong, merchant: 'Corrected', url: 'https://shop.example/f', every: '1h', encoding: '' };
    const limits = { maxBytes: '', maxRows: '', maxRejects: '' };
    expect((await operator.send(answer, NEW, { ...corrected, ...limits })).status).toBe(303);
    expect(await feedsOf('Corrected')).toHaveLength(1);
  });

  test('is added once, however often its form is sent', async () => {
    const fields = { merchant: 'Twice', url: 'https://shop.example/twice' };
    expect((await operator.send(NEW, NEW, fields)).status).toBe(303);
    const again = await operator.send(NEW, NEW, fields);
    expect([again.status, isInvalid(again.text, 'url')]).toEqual([400, true]);
    expect(again.text).toContain('has this feed already');
    expect(await feedsOf('Twice')).toHaveLength(1);
  });

  test('is not added without the token of the session', async () => {
    const fields = { merchant: 'Forged', url: 'https://shop.example/f', every: '1h', csrf: 'x' };
    expect((await operator.post(NEW, fields)).status).toBe(403);
    expect(await feedsOf('Forged')).toEqual([]);
  });

  test('with headers says what is missing if the server has no SECRET_KEY', async () => {
    const bare = await startTestGateway({ CONSOLE: 'on', FEEDS: 'off' });
    const fields = { merchant: 'Bare', url: 'https://shop.example/f', headers: 'A: b' };
    const answer = await (await signInTo(bare)).send(NEW, NEW, fields);
    await bare.stop();
    expect([answer.status, isInvalid(answer.text, 'headers')]).toEqual([400, true]);
    expect(answer.text).toContain('SECRET_KEY is not set.');
  });
});

describe('the settings of a feed', () => {
  const add = async (merchant: string) => {
    const feed = { url: 'https://shop.example/f?key=hunter2', merchant, every: '1d', headers: ['X-Key: swordfish'] };
    const { id } = await addFeed(
      gateway.database,
      { ...feed, limits: { maxBytes: 500_000_000 } },
      { secretKey: SECRET_KEY },
    );
    return { id, path: `/console/feeds/${id}`, form: `/console/feeds/${id}/edit` };
  };

  test('are shown without what is secret, and stay as they are if the form is sent as it is', async () => {
    const { id, path, form } = await add('Kept Shop');
    expect((await operator.get(path)).text).toContain(`href="${form}"`);
    const page = await operator.get(form);
    expect(page.text).toContain('Leave it empty to keep https://shop.example/f?key=…');
    expect(page.text).not.toMatch(/hunter2|swordfish/);
    const before = await readFeed(gateway.database, id);
    const answer = await operator.send(page, form);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `${path}?done=edit`]);
    expect(await readFeed(gateway.database, id)).toEqual(before);
    expect((await operator.get(`${path}?done=edit`)).text).toContain('The settings were saved.');
  });

  test('are changed by the function of `pda feeds edit`, in the name of the session', async () => {
    const { id, form } = await add('Changed Shop');
    const fields = { url: 'https://shop.example/new?key=abc', every: '2h', mode: 'delta', maxBytes: '', maxRows: '9' };
    expect((await operator.send(form, form, fields)).status).toBe(303);
    expect(await readFeed(gateway.database, id)).toMatchObject({
      url: 'https://shop.example/new?key=…',
      every: '2h',
      mode: 'delta',
      headers: ['x-key'],
      limits: { maxRows: 9 },
    });
    const [entry] = await listAudit(gateway.database, { action: 'feed.edit' });
    expect(entry).toMatchObject({
      actor: expect.stringMatching(/^console ses_/),
      before: { every: '1d', limits: { maxBytes: 500_000_000 } },
      after: { feed: id, every: '2h', limits: { maxRows: 9 } },
    });
    expect((await operator.get('/console/audit?action=feed.edit')).text).toContain(
      `feed: <a href="/console/feeds/${id}">`,
    );
    expect((await operator.send(form, form, { noHeaders: 'yes' })).status).toBe(303);
    expect((await readFeed(gateway.database, id)).headers).toEqual([]);
  });

  test('that are wrong are refused beside their fields, and nothing is changed', async () => {
    const { id, form } = await add('Wrong Shop');
    const before = await readFeed(gateway.database, id);
    const elsewhere = await operator.send(form, form, { url: 'https://evil.example/f' });
    expect([elsewhere.status, isInvalid(elsewhere.text, 'headers')]).toEqual([400, true]);
    expect(elsewhere.text).toContain('are not sent to evil.example');
    const both = await operator.send(form, form, { headers: 'A: b', noHeaders: 'yes' });
    expect([both.status, isInvalid(both.text, 'noHeaders')]).toEqual([400, true]);
    const interval = await operator.send(form, form, { every: 'daily' });
    expect([interval.status, isInvalid(interval.text, 'every')]).toEqual([400, true]);
    expect((await operator.post(form, { every: '1h', csrf: 'x' })).status).toBe(403);
    expect(await readFeed(gateway.database, id)).toEqual(before);
    expect((await operator.get('/console/feeds/fed_zzzz/edit')).status).toBe(404);
  });
});
