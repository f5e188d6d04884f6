/** What a key's holder sees of its usage, over REST, GraphQL, MCP and as CSV. */
import { beforeEach, describe, expect, test } from 'vitest';
import { DAY_MS, dayOf, monthOfDay } from '../src/values/day.ts';
import { decodeId } from '../src/values/id.ts';
import { expectInvalid, feedRow, posting, startTestGateway } from './harness/gateway.ts';
import { forFile } from './harness/lifetime.ts';

const EAN = '4006381333931';
const PATH = '/api/v1/usage';
const UNLIMITED = 9_007_199_254_740_991;

let key: string;
let id: string;
const gateway = await forFile(startTestGateway());
await gateway.importRows('Shop', [feedRow({ id: 'a', gtin: EAN })]);
beforeEach(async () => {
  ({ key, id } = await gateway.makeKey('starter', { rateLimit: null }));
});

const lookUp = () => gateway.get(`/api/v1/lookup?ean=${EAN}`, { key });
const daysAgo = (days: number) => dayOf(Date.now() - days * DAY_MS);
const today = () => daysAgo(0);

describe('the usage of a key', () => {
  test('shows plan, quota, requests a minute and each day, and costs nothing', async () => {
    await lookUp();
    await lookUp();
    for (const _ of [1, 2]) {
      const { status, headers, body } = await gateway.get(`${PATH}?days=2`, { key });
      expect(status).toBe(200);
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-quota-remaining')).toBe('9998');
      expect(body).toEqual({
        data: {
          plan: 'starter',
          quota: {
            limit: 10_000,
            used: 2,
            remaining: 9_998,
            resetsAt: expect.stringMatching(/^\d{4}-\d\d-01T00:00:00Z$/),
          },
          requestsPerMinute: 60,
          days: [
            { date: daysAgo(1), requests: 0 },
            { date: today(), requests: 2 },
          ],
        },
      });
    }
  });

  test('covers 30 days by default, today last', async () => {
    const { body } = await gateway.get(PATH, { key });
    expect(body.data.days).toHaveLength(30);
    expect(body.data.days[0].date).toBe(daysAgo(29));
    expect(body.data.days.at(-1).date).toBe(today());
  });

  test('covers days of earlier months, each with its own count', async () => {
    const [earlier, later] = [daysAgo(80), daysAgo(79)];
    const starts = (day: string, start: number) => `'[${Number(day.slice(8))}:${Number(day.slice(8))}]={${start}}'`;
    const count = (day: string, used: number) =>
      gateway.database.query(
        `INSERT INTO usage_counter (key_id, month, quota, used, granted, day_starts)
         VALUES ($1::bigint, $2::text, 10000, $3::bigint, 1, ${starts(day, 0)})`,
        [decodeId('key', id), monthOfDay(day), used],
      );
    await count(earlier, 7);
    const { body } = await gateway.get(`${PATH}?days=92`, { key });
    expect(body.data.days).toHaveLength(92);
    expect(body.data.days.find(({ date }: { date: string }) => date === earlier)).toEqual({
      date: earlier,
      requests: 7,
    });
    expect(body.data.days.find(({ date }: { date: string }) => date === later)).toEqual({ date: later, requests: 0 });
  });

  test('of an unlimited key is written as in the headers', async () => {
    const { key: unlimited } = await gateway.makeKey('enterprise');
    const { headers, body } = await gateway.get(PATH, { key: unlimited });
    expect(body.data).toMatchObject({ plan: 'enterprise', quota: { limit: 0, used: 0, remaining: UNLIMITED } });
    expect(headers.get('x-quota-remaining')).toBe(String(UNLIMITED));
    expect(body.data.requestsPerMinute).toBe(1_000_000);
  });

  test('is available when the quota is used up', async () => {
    const { key: small } = await gateway.makeKey('free');
    await gateway.graphql(`{ ${Array.from({ length: 20 }, (_, index) => `a${index}: viewer { used }`).join(' ')} }`, {
      key: small,
    });
    for (let left = 80; left >= 0; left -= 1) await gateway.get(`/api/v1/lookup?ean=${EAN}`, { key: small });
    const { status, body } = await gateway.get(PATH, { key: small });
    expect(status).toBe(200);
    expect(body.data.quota).toMatchObject({ limit: 100, used: 100, remaining: 0 });
  });

  test('needs a key, and refuses other numbers of days', async () => {
    expect((await gateway.get(PATH)).body.code).toBe('missing_api_key');
    for (const days of ['0', '93', 'x', '-1', '1.5']) {
      expectInvalid(await gateway.get(`${PATH}?days=${days}`, { key }), 'days');
    }
    expect((await gateway.get(PATH, { key, method: 'POST' })).status).toBe(405);
  });

  test('is limited to sixty free requests a minute', async () => {
    const answers = await Promise.all(Array.from({ length: 61 }, () => gateway.get(`${PATH}?days=1`, { key })));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(1);
    expect(refused[0]?.headers.get('retry-after')).toMatch(/^\d+$/);
  });

  test('over GraphQL is the same and free, beside fields that cost', async () => {
    const document =
      '{ usage(days: 1) { plan quota { limit used remaining resetsAt } requestsPerMinute days { date requests } } }';
    const { body } = await gateway.graphql(document, { key });
    expect({ data: body.data.usage }).toEqual((await gateway.get(`${PATH}?days=1`, { key })).body);
    const mixed = await gateway.graphql('{ usage { quota { used } } plans { id } viewer { used } }', { key });
    expect(mixed.body.data.usage.quota.used).toBe(1);
    expect((await gateway.graphql('{ usage(days: 93) { plan } }', { key })).body.errors[0].extensions).toMatchObject({
      code: 'invalid_parameter',
      parameter: 'days',
    });
    expect((await gateway.graphql('{ usage { plan } }')).body.errors[0].extensions.code).toBe('missing_api_key');
  });

  test('as a tool for agents is free too', async () => {
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_usage', arguments: { days: 1 } } };
    const { body } = await gateway.get('/mcp', {
      key,
      ...posting(call, { accept: 'application/json, text/event-stream' }),
    });
    expect(body.result.structuredContent.data).toMatchObject({ plan: 'starter', quota: { used: 0 } });
  });

  test('as CSV has a line for each day', async () => {
    await lookUp();
    const { text } = await gateway.get(`${PATH}?days=2`, { key, headers: { accept: 'text/csv' } });
    expect(text).toBe(`date,requests\r\n${daysAgo(1)},0\r\n${today()},1\r\n`);
  });
});
