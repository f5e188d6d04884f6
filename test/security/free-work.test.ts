/** Free requests that need work: what they cost, and how they wait without delaying others. */
import { EventEmitter } from 'node:events';
import { getIntrospectionQuery } from 'graphql';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openAdmission } from '../../src/http/admission.ts';
import type { Exchange } from '../../src/http/exchange.ts';
import { type Leave, MOST_WAITING, openFreeWork } from '../../src/http/free-work.ts';
import { eventually } from '../harness/eventually.ts';
import { type Asking, startTestGateway, type TestGateway } from '../harness/gateway.ts';
import { openRawClient, requestText } from '../harness/raw-client.ts';

const MOST_FREE = 120;

let clients = 0;
/** The headers of a client with another address. */
const newClient = () => {
  clients += 1;
  return { 'x-forwarded-for': `203.0.${Math.floor(clients / 250)}.${clients % 250}` };
};

describe('a free request', () => {
  let gateway: TestGateway;
  let key: string;
  beforeAll(async () => {
    gateway = await startTestGateway({
      RATE_LIMIT_PUBLIC: String(MOST_FREE),
      TRUST_PROXY: '1',
      ANSWER_CACHE_MB: '8',
      MAX_CONCURRENT_REQUESTS: '12',
    });
    ({ key } = await gateway.makeKey('pro'));
    await gateway.importRows('A Shop', [
      { id: '1', title: 'Lamp', link: 'https://shop.example/1', price: '10.00 EUR', availability: 'in_stock' },
    ]);
  });
  afterAll(() => gateway.stop());

  /** Sends requests one after the other, until one is refused. @returns how many were answered. */
  const answeredOf = async (ask: (turn: number) => Promise<{ status: number }>, most = MOST_FREE): Promise<number> => {
    for (let turn = 0; turn < most; turn += 1) {
      const { status } = await ask(turn);
      if (status === 429) return turn;
      expect(status).toBe(200);
    }
    return most;
  };

  const whole = getIntrospectionQuery();
  /** The same answer to a document of another text. */
  const varied = (turn: number) => whole.replace('__schema', `of${turn}: __schema`);

  test('costs as many requests as its introspection takes CPU time, and one once the result is in memory', async () => {
    await gateway.graphql(whole, { headers: newClient() });
    const headers = newClient();
    expect(await answeredOf(() => gateway.graphql(whole, { headers }))).toBe(MOST_FREE);
    expect((await gateway.graphql(whole, { headers })).status).toBe(429);
    const other = newClient();
    expect(await answeredOf((turn) => gateway.graphql(varied(turn), { headers: other }))).toBeLessThan(MOST_FREE / 2);
    // With a key, too: introspection costs nothing of its quota.
    const owner = newClient();
    expect(await answeredOf((turn) => gateway.graphql(varied(turn + MOST_FREE), { headers: owner, key }))).toBeLessThan(
      MOST_FREE / 2,
    );
  });

  test('for an introspection gets the same answer from memory, in each encoding and with or without a key', async () => {
    const headers = newClient();
    const first = await gateway.graphql(whole, { headers: { ...headers, 'accept-encoding': 'identity' } });
    for (const encoding of ['identity', 'gzip', 'br']) {
      const again = await gateway.graphql(whole, { headers: { ...headers, 'accept-encoding': encoding } });
      expect([again.status, again.text]).toEqual([200, first.text]);
      expect(again.headers.get('content-encoding')).toBe(encoding === 'identity' ? null : encoding);
      expect(again.headers.get('x-plan')).toBeNull();
    }
    const known = await gateway.graphql(whole, { headers, key });
    expect([known.text, known.headers.get('x-plan')]).toEqual([first.text, 'pro']);
    const inUrl = `/graphql?query=${encodeURIComponent('{ __typename }')}`;
    for (const method of ['GET', 'HEAD', 'GET']) {
      const { status, text, headers: got } = await gateway.get(inUrl, { headers, method });
      expect([status, text]).toEqual([200, method === 'HEAD' ? '' : '{"data":{"__typename":"Query"}}']);
      expect(got.get('content-length')).toBe('31');
    }
  });

  test('for an introspection is answered from memory for the last 32 documents, and errors never are', async () => {
    const small = (turn: number) => `{ of${turn}: __type(name: "Offer") { name } }`;
    /** The free requests that the whole introspection costs after so many others. */
    const priceAfter = async (others: number) => {
      await gateway.graphql(whole, { headers: newClient() });
      const many = newClient();
      for (let turn = 0; turn < others; turn += 1) {
        const { body } = await gateway.graphql(small(turn), { headers: many });
        expect(body.data[`of${turn}`]).toEqual({ name: 'Offer' });
      }
      const headers = newClient();
      await gateway.graphql(whole, { headers });
      return MOST_FREE - (await answeredOf(() => gateway.get('/api/v1/plans', { headers })));
    };
    expect(await priceAfter(31)).toBe(1);
    expect(await priceAfter(32)).toBeGreaterThan(1);
    const wrong = '{ __type { name } }';
    for (let turn = 0; turn < 2; turn += 1) {
      expect((await gateway.graphql(wrong, { headers: newClient() })).body.errors).toHaveLength(1);
    }
  });

  test.each(['/search', '/suggest'])('for %s costs three, unless its answer is in memory', async (path) => {
    const headers = newClient();
    expect(await answeredOf((turn) => gateway.get(`${path}?q=lamp${turn}`, { headers }))).toBe(MOST_FREE / 3);
    const other = newClient();
    await gateway.get(`${path}?q=lamp`, { headers: newClient() });
    expect(await answeredOf(() => gateway.get(`${path}?q=lamp`, { headers: other }))).toBe(MOST_FREE);
  });

  test('for a product page costs three, and one once the page is in memory', async () => {
    const { body } = await gateway.get('/api/v1/products', { key });
    const path = `/products/${body.data[0].slug}`;
    const headers = newClient();
    expect(await answeredOf(() => gateway.get(path, { headers }))).toBe(MOST_FREE - 2);
    const missing = newClient();
    let turn = 0;
    while ((await gateway.get(`/products/none-${turn}`, { headers: missing })).status === 404) turn += 1;
    expect(turn).toBe(MOST_FREE / 3);
  });

  /** Lets the next search wait for a lock. @returns the function that releases it. */
  const blockSearch = async (): Promise<() => Promise<void>> => {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let ended: Promise<void> = Promise.resolve();
    await new Promise<void>((hasLock, fail) => {
      ended = gateway.database.transaction(async (transaction) => {
        await transaction.query('LOCK TABLE product IN ACCESS EXCLUSIVE MODE');
        hasLock();
        await released;
      });
      ended.catch(fail);
    });
    return () => {
      release();
      return ended;
    };
  };

  const waiting = async () => {
    const { registry } = gateway.services.metrics;
    const text = await registry.getSingleMetricAsString('pda_free_requests_waiting');
    return Number(/^pda_free_requests_waiting (\d+)$/m.exec(text)?.[1]);
  };

  test('that needs work waits for its turn, at most 100 of them, and takes no place of others meanwhile', async () => {
    const release = await blockSearch();
    onTestFinished(release);
    const search = (n: number, asking: Asking) => gateway.get(`/suggest?q=word${n}`, asking);
    const first = search(-1, { headers: newClient() });
    const patient: Promise<{ status: number }>[] = [];
    await eventually(
      async () => {
        // The first may still be on its way to the lock.
        if (patient.length < MOST_WAITING) patient.push(search(patient.length, { headers: newClient() }));
        return waiting();
      },
      (count) => count === MOST_WAITING,
    );
    const refused = await search(1_000, { headers: newClient() });
    expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([503, 'unavailable', '1']);
    const headers = newClient();
    for (const path of ['/api/v1/plans', '/api/v1/openapi.json?x=1', '/llms.txt', '/docs/errors', '/healthz']) {
      expect([path, (await gateway.get(path, { headers })).status]).toEqual([path, 200]);
    }
    expect((await gateway.get('/api/v1/lookup', { method: 'OPTIONS', headers })).status).toBe(204);
    expect(await waiting()).toBe(MOST_WAITING);
    await release();
    expect([200, 503]).toContain((await first).status);
    for (const { status } of await Promise.all(patient)) expect(status).toBe(200);
    expect(await waiting()).toBe(0);
  });

  test('whose client leaves while it waits gives its place up', async () => {
    const release = await blockSearch();
    onTestFinished(release);
    const first = gateway.get('/suggest?q=blocked', { headers: newClient() });
    const leaving = new AbortController();
    const left: Promise<unknown>[] = [];
    await eventually(
      async () => {
        if (left.length < 5) {
          const asking = { headers: newClient(), signal: leaving.signal };
          left.push(gateway.get(`/suggest?q=left${left.length}`, asking).catch(() => 'left'));
        }
        return waiting();
      },
      (count) => count === 5 || (left.length === 5 && count === 4),
    );
    leaving.abort();
    await Promise.all(left);
    await eventually(waiting, (count) => count === 0);
    await release();
    await first;
  });

  test.each([
    ['free requests', '/api/v1/plans', () => ({})],
    ['a key', '/api/v1/brands', (limited: string) => ({ 'x-api-key': limited })],
  ])('beyond the limit of %s makes a client that retries at once wait longer and longer', async (_, path, headersOf) => {
    const strict = await startTestGateway({ RATE_LIMIT_PUBLIC: '1' });
    onTestFinished(() => strict.stop());
    const { key: limited } = await strict.makeKey('free', { rateLimit: 1 });
    const client = await openRawClient(strict.address);
    onTestFinished(() => void client.socket.destroy());
    const ask = async () => {
      client.send(requestText(path, headersOf(limited)));
      return (await client.answer())?.status;
    };
    expect(await ask()).toBe(200);
    const startedAt = performance.now();
    for (let turn = 0; turn < 5; turn += 1) expect(await ask()).toBe(429);
    expect(performance.now() - startedAt).toBeGreaterThan(600); // Pauses of 100, 200 and 400 ms before the third and later requests.
  });
});

describe('the queue of free work', () => {
  const openQueue = () => {
    const admission = openAdmission({ targetMs: 0, most: 1_000 });
    return { admission, work: openFreeWork(admission) };
  };
  const requestOf = (address: string) =>
    ({
      addressOf: () => address,
      outgoing: new EventEmitter(),
      access: { admitFree: () => undefined },
    }) as unknown as Exchange;

  test('lets addresses take turns', async () => {
    const { work } = openQueue();
    const order: string[] = [];
    const asked = ['a', 'a', 'a', 'a', 'b', 'c', 'b'].map((address) =>
      work.turnOf(requestOf(address), 0)(() => void order.push(address)),
    );
    await Promise.all(asked);
    expect(order).toEqual(['a', 'a', 'b', 'c', 'a', 'b', 'a']);
  });

  test('refuses the last request of the address with the most, if it is full', async () => {
    const { work, admission } = openQueue();
    const leave: Leave = await work.enter(requestOf('a'));
    const entered = (address: string) => work.turnOf(requestOf(address), 0)(() => `${address} ran`);
    const of = (address: string, count: number) => Array.from({ length: count }, () => entered(address));
    const many = of('a', MOST_WAITING);
    await expect(entered('a')).rejects.toMatchObject({ code: 'unavailable', status: 503 });
    const others = [...of('b', 2), ...of('c', 1)];
    for (const evicted of many.splice(-3)) await expect(evicted).rejects.toMatchObject({ code: 'unavailable' });
    expect([work.waiting, admission.inside]).toEqual([MOST_WAITING, -MOST_WAITING]);
    leave();
    expect(new Set(await Promise.all([...many, ...others]))).toEqual(new Set(['a ran', 'b ran', 'c ran']));
    expect([work.waiting, admission.inside]).toEqual([0, 0]);
  });

  test('goes on after a job that fails, and skips a request whose address has no free requests left', async () => {
    const { work } = openQueue();
    const failing = work.turnOf(requestOf('a'), 0)(() => Promise.reject(new Error('no')));
    const poor = {
      ...requestOf('b'),
      access: { admitFree: () => Promise.reject(new Error('none left')) },
    } as unknown as Exchange;
    const skipped = work.turnOf(poor, 2)(() => 'ran');
    const next = work.turnOf(requestOf('c'), 0)(() => 'ran');
    await expect(failing).rejects.toThrow('no');
    await expect(skipped).rejects.toThrow('none left');
    expect(await next).toBe('ran');
  });
});
