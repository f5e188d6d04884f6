/** The overview, feeds, shops and the audit log in the console, over HTTP as a browser without JavaScript uses them. */
import { describe, expect, test } from 'vitest';
import { listAudit } from '../../src/access/audit.ts';
import { createKey, revokeKey } from '../../src/access/key-admin.ts';
import { monthOf } from '../../src/access/meter.ts';
import type { PlanId } from '../../src/access/plans.ts';
import { readFeed } from '../../src/feeds/feeds.ts';
import { TRAFFIC_DAYS } from '../../src/operations/traffic-counts.ts';
import { encodeCursor } from '../../src/values/cursor.ts';
import { dayOf } from '../../src/values/day.ts';
import { dayFormat } from '../../src/values/day-format.ts';
import { decodeId, encodeId } from '../../src/values/id.ts';
import { feedRow, startTestGateway } from '../harness/gateway.ts';
import { forFile } from '../harness/lifetime.ts';
import { signInTo } from '../harness/operator.ts';
import { addReportedFeed } from '../harness/reported-feed.ts';

const HOSTILE = '<img src=x onerror=alert(1)>"\'&\u202egnp.exe \u2066';
const ESCAPED = '&lt;img src=x onerror=alert(1)>&quot;';
const EAN = '4006381333931';

const gateway = await forFile(startTestGateway({ CONSOLE: 'on', RATE_LIMIT_PUBLIC: '100000' }));
const operator = await signInTo(gateway);
const feed = await addReportedFeed(gateway.database, HOSTILE);
const feedId = encodeId('feed', feed.id);
await feed.run([
  feedRow({ id: 'a', gtin: EAN, title: HOSTILE }),
  feedRow({ id: HOSTILE, price: 'free' }),
  feedRow({ id: 'c', price: HOSTILE }),
]);

const text = async (path: string) => (await operator.get(path)).text;
/** The cells of the rows of a table, without markup. */
function rowsOf(html: string, label: string): string[][] {
  const [, table = ''] = html.split(`<section class="table-scroll" aria-label="${label}"`);
  const [body = ''] = /<tbody>[\s\S]*?<\/tbody>/.exec(table) ?? [];
  return Array.from(body.matchAll(/<tr>([\s\S]*?)<\/tr>/g), ([, row = '']) =>
    Array.from(row.matchAll(/<t[hd][^>]*>([\s\S]*?)<\/t[hd]>/g), ([, cell = '']) => cell.replace(/<[^>]*>/g, '')),
  );
}

describe('the overview', () => {
  test('shows the requests of each interface, refusals and errors, as soon as they are answered', async () => {
    const { key } = await gateway.makeKey('enterprise');
    const before = rowsOf(await text('/console'), 'Requests by interface')[0] ?? [];
    for (let count = 0; count < 3; count += 1) await gateway.get(`/api/v1/lookup?ean=${EAN}`, { key });
    await gateway.get(`/api/v1/lookup?ean=${EAN}`);
    await gateway.graphql('{ viewer { used } }', { key });
    await gateway.get('/docs/api', { headers: { accept: 'text/html' } });
    const html = await text('/console');
    const [day, ...counts] = rowsOf(html, 'Requests by interface')[0] ?? [];
    expect(day).toBe(dayFormat(dayOf(Date.now())));
    // Each opening of the overview is a page too, which is counted once it is answered.
    expect(counts.map((count, place) => Number(count) - Number(before[place + 1]))).toEqual([4, 1, 0, 2]);
    expect(rowsOf(html, 'Refused requests')[0]?.slice(1)).toEqual(['1', '0', '0', '0']);
    expect(rowsOf(html, 'All 30 days by interface').map(([name]) => name)).toEqual(['REST', 'GraphQL', 'MCP', 'Pages']);
    expect(rowsOf(html, 'All 30 days by interface')[0]?.slice(3).join()).toMatch(/^[\d.,]+ ms,[\d.,]+ ms$/);
  });

  test('adds the counts of all gateways, and forgets those of ninety days ago', async () => {
    const { database } = gateway;
    const add = (daysAgo: number, outcome: string, bucket: number, count: number) =>
      database.query(`INSERT INTO traffic_day VALUES (current_date - $1::int, 'mcp', $2, $3::int, $4::bigint)`, [
        daysAgo,
        outcome,
        bucket,
        count,
      ]);
    await add(3, 'served', 0, 98);
    await add(3, 'served', 5, 2);
    await add(3, 'error', 0, 7);
    await add(TRAFFIC_DAYS - 1, 'served', 0, 5);
    await add(TRAFFIC_DAYS, 'served', 0, 5);
    const html = await text('/console?days=7');
    expect(rowsOf(html, 'Requests by interface')).toHaveLength(7);
    expect(rowsOf(html, 'Requests by interface')[3]?.[3]).toBe('107');
    expect(rowsOf(html, 'Errors of the server')[3]?.[1]).toBe('7');
    // 98 took up to 1 ms, and 2 from 25 to 50 ms.
    expect(rowsOf(html, 'Duration of served API requests')[3]?.slice(1)).toEqual(['0.51 ms', '38 ms']);
    expect(rowsOf(html, 'All 7 days by interface')[2]?.slice(1, 3)).toEqual(['107', '7']);

    const again = await startTestGateway({ CONSOLE: 'on' });
    await again.database.query(
      `INSERT INTO traffic_day VALUES (current_date - ${TRAFFIC_DAYS}, 'mcp', 'served', 0, 5), (current_date - ${TRAFFIC_DAYS - 1}, 'mcp', 'served', 0, 6)`,
    );
    await again.get('/api/v1');
    await again.services.traffic.write();
    const old = await again.database.query<{ count: bigint }>(`SELECT count FROM traffic_day WHERE face = 'mcp'`);
    await again.stop();
    expect(old).toEqual([{ count: 6n }]);
  });

  test('says so if nothing needs attention, and otherwise lists it with a link', async () => {
    const { database } = gateway;
    expect(await text('/console')).toContain('Nothing: all feeds, shops, webhooks and keys are as they should be.');
    const near = await gateway.makeKey('free');
    const soon = await gateway.makeKey('pro', { expiresAt: new Date(Date.now() + 3 * 86_400_000) });
    await database.query(
      'INSERT INTO usage_counter (key_id, month, quota, used, granted) VALUES ($1, $2, 100, 93, 1)',
      [decodeId('key', near.id), monthOf(new Date())],
    );
    await gateway.importRows('Old shop', [feedRow({ id: 'o' })], { observedAt: new Date(Date.now() - 5 * 86_400_000) });
    await database.query(
      `INSERT INTO import_failure (merchant, mode, reason, started_at) VALUES ('Failed shop', 'full', 'broken', now()), ($1, 'full', 'broken', now())`,
      [HOSTILE],
    );
    await database.query('UPDATE feed SET failures = 4, needs_confirmation_at = now() WHERE id = $1', [feed.id]);
    await addReportedFeed(database, 'Late shop', { next_run_at: new Date(Date.now() - 11 * 60_000) });
    await addReportedFeed(database, 'Soon shop', { next_run_at: new Date(Date.now() - 9 * 60_000) });
    const html = await text('/console');
    const concerns = Array.from(
      html.matchAll(/<li><span class="badge (?:bad|warn)">[\s\S]*?<\/li>/g),
      ([item]) => item,
    );
    const hrefs = concerns.map((item) => [
      /href="([^"]+)"/.exec(item)?.[1],
      item.replace(/<[^>]*>/g, '').replace(/^\w+ .*: /, ''),
    ]);
    expect(hrefs).toEqual([
      [`/console/feeds/${feedId}`, expect.stringContaining('waits for you to confirm it')],
      [expect.stringMatching('/console/feeds/fed_'), expect.stringContaining('no server has pulled it')],
      ['/console/feeds', expect.stringContaining('broken')],
      ['/console/feeds', 'No feed has been imported for 5 days.'],
      [`/console/keys/${near.id}`, 'The key has used 93 % of its quota of this month.'],
      [`/console/keys/${soon.id}`, 'The key expires in 3 days.'],
    ]);
    expect(rowsOf(html, 'Shops by their last feed').map(([, shops]) => shops)).toEqual(['1', '0', '0', '1', '0']);
    await database.query("DELETE FROM feed WHERE merchant IN ('Late shop', 'Soon shop')");
    await revokeKey(database, soon.id);
    await database.query('UPDATE feed SET failures = 0, needs_confirmation_at = NULL WHERE id = $1', [feed.id]);
  });

  test('judges a key by its own quota, if it has one', async () => {
    const use = async (name: string, plan: PlanId, monthlyQuota: number, used: number) => {
      const { id } = await createKey(gateway.database, { name, plan, monthlyQuota });
      await gateway.database.query(
        'INSERT INTO usage_counter (key_id, month, quota, used, granted) VALUES ($1, $2, 100, $3::bigint, 1)',
        [decodeId('key', id), monthOf(new Date()), used],
      );
    };
    await use('Small quota', 'pro', 50, 48);
    await use('Large quota', 'free', 1_000, 99);
    await use('Unlimited', 'free', 0, 5_000);
    await use('Limited', 'enterprise', 10, 10);
    const html = (await text('/console')).replace(/<[^>]*>/g, '');
    expect(html).toContain('Small quota: The key has used 96 % of its quota of this month.');
    expect(html).toContain('Limited: The key has used its whole quota of this month.');
    expect(html).not.toContain('Large quota');
    expect(html).not.toContain('Unlimited');
  });
});

describe('a feed', () => {
  test('is shown with its runs, its rejected rows and a link to the report, and without its secrets', async () => {
    const list = await text('/console/feeds');
    expect(list).toContain(`href="/console/feeds/${feedId}"`);
    const html = await text(`/console/feeds/${feedId}`);
    expect(html).toContain(`href="${feed.path}"`);
    expect(rowsOf(html, 'Runs')[0]?.slice(1)).toEqual(['Imported', '3', '1', '0', '0', '2', '']);
    expect(rowsOf(html, 'Rows rejected for invalid_price').map(([line, id]) => [line, id])).toEqual([
      ['2', "&quot;'&amp;\\u202egnp.exe \\u2066"],
      ['3', 'c'],
    ]);
    for (const page of [list, html]) expect(page).not.toMatch(/secret-value|user:pass/);
  });

  test('is run, paused, resumed and confirmed by the functions of `pda feeds`, in the name of the session', async () => {
    const path = `/console/feeds/${feedId}`;
    const act = async (name: string) => {
      const answer = await operator.send(path, `${path}/${name}`);
      expect([answer.status, answer.headers.get('location')]).toEqual([303, `${path}?done=${name}`]);
      expect((await operator.get(`${path}?done=${name}`)).text).toContain('role="status"');
      return readFeed(gateway.database, feedId);
    };
    expect(await act('pause')).toMatchObject({ state: 'paused' });
    // Without a button, a form can still be sent.
    const { csrf } = await operator
      .get(path)
      .then(({ text: html }) => ({ csrf: /name="csrf" value="([^"]+)"/.exec(html)?.[1] ?? '' }));
    const refused = await operator.post(`${path}/run`, { csrf });
    expect([refused.status, refused.text.includes('is paused')]).toEqual([400, true]);
    const confirmed = await operator.post(`${path}/confirm`, { csrf });
    expect(confirmed.status).toBe(400);
    expect((await act('resume')).pausedAt).toBeUndefined();
    const former = (await readFeed(gateway.database, feedId)).reportPath;
    expect((await act('new-report')).reportPath).not.toBe(former);
    const entries = (await listAudit(gateway.database)).filter(({ action }) => action.startsWith('feed.'));
    expect(entries.map(({ action }) => action)).toEqual(['feed.pause', 'feed.resume', 'feed.new-report-url']);
    for (const { actor } of entries) expect(actor).toMatch(/^console ses_\w+ of /);
  });

  test('asks for confirmation if the guard has refused it, and can be removed', async () => {
    const { database } = gateway;
    const guarded = await addReportedFeed(database, 'Guarded', { needs_confirmation_at: new Date(), failures: 1 });
    const id = encodeId('feed', guarded.id);
    const path = `/console/feeds/${id}`;
    expect(await text(path)).toContain('This feed needs your confirmation');
    const page = await operator.get(path);
    const answer = await operator.send(page, `${path}/confirm`);
    expect(answer.status).toBe(303);
    expect(await readFeed(database, id)).toMatchObject({ merchant: 'Guarded' });
    expect(
      (await listAudit(database)).some(
        ({ action, after }) => action === 'feed.confirm' && (after as { feed?: string }).feed === id,
      ),
    ).toBe(true);
    const removed = await operator.send(path, `${path}/remove`);
    expect(removed.headers.get('location')).toBe('/console/feeds?done=remove');
    expect((await operator.get(path)).status).toBe(404);
  });

  test('of which there are many is found page by page', async () => {
    await gateway.database.query(
      `INSERT INTO feed (merchant, url, host, every_seconds, report_token, next_run_at, paused_at)
       SELECT 'Many ' || number, 'https://feeds.example/', 'feeds.example', 3600, repeat('x', 32) || number, now() + INTERVAL '1 day', now()
       FROM generate_series(1, 60) AS number`,
    );
    const first = await text('/console/feeds');
    const next = /href="(\/console\/feeds\?after=[^"]+)"/.exec(first)?.[1] ?? '';
    const second = await text(next.replaceAll('&amp;', '&'));
    const names = [...rowsOf(first, 'Scheduled feeds'), ...rowsOf(second, 'Scheduled feeds')].map(([name]) => name);
    expect(names.filter((name) => name?.startsWith('Many '))).toHaveLength(60);
    expect(new Set(names).size).toBe(names.length);
    expect((await operator.get('/console/shops?after=nothing')).status).toBe(400);
    await gateway.database.query(`DELETE FROM feed WHERE merchant LIKE 'Many %'`);
  });

  test.each(['fed_zzz', 'fed_', 'nothing', '%00', 'key_1'])('%s is no feed, and the page says so', async (id) => {
    const { status, headers } = await operator.get(`/console/feeds/${id}`);
    expect([status, headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
  });
});

describe('the audit log', () => {
  test('is paged, and can be limited to an action', async () => {
    await gateway.database.query(
      `INSERT INTO audit_event (action, actor, after) SELECT 'import.force', $1, jsonb_build_object('number', number) FROM generate_series(1, 120) AS number`,
      [HOSTILE],
    );
    const seen: string[] = [];
    let path: string | undefined = '/console/audit?action=import.force';
    let pages = 0;
    while (path) {
      const html: string = await text(path);
      seen.push(...rowsOf(html, 'Audit log').map((cells) => `${cells[1]} ${cells[4]}`));
      path = /href="(\/console\/audit\?[^"]*after=[^"]+)"/.exec(html)?.[1]?.replaceAll('&amp;', '&');
      pages += 1;
    }
    expect(pages).toBe(3);
    expect(seen).toEqual(Array.from({ length: 120 }, (_, place) => `import.force number: ${120 - place}`));
    // A cursor belongs to its list.
    const cursor = /after=([^"]+)"/.exec(await text('/console/audit?action=import.force'))?.[1];
    expect((await operator.get(`/console/audit?after=${cursor}`)).status).toBe(400);
  });
});

test.each([
  ['/console/audit', encodeCursor('audit ', ['9'.repeat(19)])],
  ['/console/shops', encodeCursor('console shops', [0, '9'.repeat(19)])],
  ['/console/shops', encodeCursor('console shops', [1e300, '1'])],
])('a cursor of %s with a number that the database has no room for is refused', async (path, cursor) => {
  expect((await operator.get(`${path}?after=${cursor}`)).status).toBe(400);
});

test.each([
  '/console',
  '/console/feeds',
  '/console/shops',
  '/console/audit',
  'the feed',
])('a hostile name is text at %s', async (page) => {
  await gateway.database.query('UPDATE feed SET failures = 2 WHERE id = $1', [feed.id]);
  const html = await text(page === 'the feed' ? `/console/feeds/${feedId}` : page);
  expect(html).toContain(ESCAPED);
  expect(html).not.toContain('<img src=x');
  // Names of another direction cannot reorder what is beside them.
  for (const [, element] of html.matchAll(/<(\w+)[^<>]*>[^<]*&lt;img src=x/g))
    expect(['bdi', 'h1', 'title']).toContain(element);
});
