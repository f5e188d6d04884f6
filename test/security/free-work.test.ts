/** Free requests that need work: what they cost, and how they wait without delaying others. */
import { EventEmitter } from 'node:events';
import { Socket } from 'node:net';
import { getIntrospectionQuery } from 'graphql';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { openFreeOperations } from '../../src/graphql/free-operations.ts';
import { openAdmission } from '../../src/http/admission.ts';
import type { Exchange } from '../../src/http/exchange.ts';
import { type Leave, MOST_WAITING, openFreeWork } from '../../src/http/free-work.ts';
import { Problem } from '../../src/problem.ts';
import { openProblemPages } from '../../src/web/problem-page.tsx';
import { eventually } from '../harness/eventually.ts';
import { startTestGateway, type TestGateway } from '../harness/gateway.ts';
import { forTest } from '../harness/lifetime.ts';
import { openRawClient, requestText } from '../harness/raw-client.ts';
import { signal } from '../harness/signal.ts';

const MOST_FREE = 120;
const MOST_REQUESTS = 12;

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
      MAX_CONCURRENT_REQUESTS: String(MOST_REQUESTS),
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

  test('for an introspection costs one once the result is in memory', async () => {
    await gateway.graphql(whole, { headers: newClient() });
    const headers = newClient();
    expect(await answeredOf(() => gateway.graphql(whole, { headers }))).toBe(MOST_FREE);
    expect((await gateway.graphql(whole, { headers })).status).toBe(429);
    // With a key, too: introspection costs nothing of its quota.
    const owner = newClient();
    expect(await answeredOf(() => gateway.graphql(whole, { headers: owner, key }))).toBe(MOST_FREE);
    expect((await gateway.graphql(whole, { headers: owner, key })).status).toBe(429);
  });

  test('for an introspection that several clients send at once is answered the same', async () => {
    const documents = [1, 2, 3, 1, 2, 3, 1, 2, 3].map((n) => whole.replace('__schema', `at${n}: __schema`));
    const answers = await Promise.all(documents.map((each) => gateway.graphql(each, { headers: newClient() })));
    for (const [n, { status, body }] of answers.entries()) {
      expect([status, Object.keys(body), Object.keys(body.data)]).toEqual([200, ['data'], [`at${(n % 3) + 1}`]]);
    }
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

  test.each([
    ['any application', 'application/*', 200],
    ['any multipart', 'multipart/*', 200],
    ['nothing that is supported', 'image/png', 200],
    ['very many media types', ','.repeat(30_000), 200],
    ['many media types without a key', 'a/b,'.repeat(40), 401],
  ])('over GraphQL with an Accept of %s is answered in JSON, in few bytes', async (_, accept, status) => {
    const query = status === 200 ? '{ plans { id } }' : '{ viewer { remaining } }';
    const client = await openRawClient(gateway.address);
    onTestFinished(() => void client.socket.destroy());
    const headers = { ...newClient(), Accept: accept };
    const ask = async () => {
      client.send(requestText(`/graphql?query=${encodeURIComponent(query)}`, headers));
      const answer = await client.answer();
      expect(JSON.stringify(answer).length).toBeLessThan(4_096);
      return answer?.status;
    };
    const statuses = [await ask()];
    while (statuses.at(-1) === status) statuses.push(await ask());
    expect(statuses.length).toBeLessThanOrEqual(MOST_FREE + 1);
    expect([statuses[0], statuses.at(-1)]).toEqual([status, 429]);
  });

  test.each(['accept-encoding', 'accept'])('with a very long %s is answered as without it', async (name) => {
    const long = Array.from({ length: 200 }, () => (name === 'accept' ? 'image/svg+xml' : 'br')).join(',');
    for (const path of ['/docs/errors', '/api/v1/openapi.json']) {
      const { status, headers } = await gateway.get(path, { headers: { ...newClient(), [name]: long } });
      const usual = path === '/docs/errors' ? 'text/markdown; charset=utf-8' : 'application/json';
      expect([status, headers.get('content-type')]).toEqual([200, usual]);
      if (name === 'accept-encoding') expect(headers.get('content-encoding')).toBeNull();
    }
  });

  test('of an agent that calls no tool is done in turn too, and costs one', async () => {
    const headers = { ...newClient(), 'content-type': 'application/json' };
    const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    const ask = () => gateway.get('/mcp', { method: 'POST', body: list, key, headers });
    expect(await answeredOf(ask)).toBe(MOST_FREE);
    expect((await ask()).status).toBe(429);
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

  test('beyond the limit is answered with a page for browsers, and with problem details for programs', async () => {
    const headers = newClient();
    await answeredOf(() => gateway.get('/suggest?q=lamp', { headers }));
    const browser = await gateway.get('/search?q=lamp', { headers: { ...headers, accept: 'text/html,*/*;q=0.8' } });
    expect([browser.status, browser.headers.get('content-type')]).toEqual([429, 'text/html; charset=utf-8']);
    expect(browser.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(browser.headers.get('cache-control')).toBe('no-store');
    expect(browser.text).toContain(`Your address may make ${MOST_FREE} free requests a minute`);
    for (const accept of ['*/*', 'image/*', 'application/json']) {
      const program = await gateway.get('/search?q=lamp', { headers: { ...headers, accept } });
      expect([program.status, program.body.code]).toEqual([429, 'rate_limited']);
    }
    const api = await gateway.get('/api/v1/plans', { headers: { ...headers, accept: 'text/html' } });
    expect([api.status, api.body.code]).toEqual([429, 'rate_limited']);
  });

  /** Lets the next search wait for a lock. @returns the function that releases it. */
  const blockSearch = async (): Promise<() => Promise<void>> => {
    const { raise: release, raised: released } = signal();
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

  test('that needs work waits without taking a place of those that need none', async () => {
    await gateway.get('/api/v1/brands', { key }); // So that the key is known without the database.
    const release = await blockSearch();
    onTestFinished(release);
    const searches = Array.from({ length: MOST_REQUESTS / 2 }, (_, n) => `/suggest?q=word${n}`);
    // More than half of the places, which is all that requests without a key may have.
    const paths = [...searches, '/search?q=word', '/products/none', '/01/04006381333931', '/feeds/none'];
    const asked = paths.map((path) => gateway.get(path, { headers: newClient() }));
    asked.push(gateway.graphql('{ new: __typename }', { headers: newClient() }));
    const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    const agent = { ...newClient(), 'content-type': 'application/json' };
    asked.push(gateway.get('/mcp', { method: 'POST', body: list, key, headers: agent }));
    const count = asked.length - 1;
    expect(await eventually(waiting, (found) => found === count)).toBe(count);
    const headers = newClient();
    for (const path of ['/api/v1/plans', '/api/v1/openapi.json?x=1', '/llms.txt', '/docs/errors', '/healthz']) {
      expect([path, (await gateway.get(path, { headers })).status]).toEqual([path, 200]);
    }
    expect((await gateway.get('/api/v1/lookup', { method: 'OPTIONS', headers })).status).toBe(204);
    await release();
    // A search that met the lock may have run out of time.
    for (const { status } of await Promise.all(asked)) expect([200, 404, 503]).toContain(status);
    expect(await eventually(waiting, (found) => found === 0)).toBe(0);
  });

  test.each([
    ['free requests', '/api/v1/plans', () => ({})],
    ['a key', '/api/v1/brands', (limited: string) => ({ 'x-api-key': limited })],
  ])('beyond the limit of %s pauses the connection of a client that retries at once', async (_, path, headersOf) => {
    const strict = await forTest(startTestGateway({ RATE_LIMIT_PUBLIC: '1' }));
    const { key: limited } = await strict.makeKey('free', { rateLimit: 1 });
    const client = await openRawClient(strict.address);
    onTestFinished(() => void client.socket.destroy());
    const ask = async () => {
      client.send(requestText(path, headersOf(limited)));
      return (await client.answer())?.status;
    };
    const pause = vi.spyOn(Socket.prototype, 'pause');
    // The server's end of this connection, as other connections of this process are paused too.
    const pauses = () =>
      (pause.mock.contexts as Socket[]).filter(({ remotePort }) => remotePort === client.socket.localPort).length;
    expect(await ask()).toBe(200);
    expect(await ask()).toBe(429);
    expect(pauses()).toBe(0);
    // Retries within 100 ms, unless this process stands still in between.
    for (let turn = 0; turn < 50 && pauses() === 0; turn += 1) expect(await ask()).toBe(429);
    expect(pauses()).toBeGreaterThan(0);
  });
});

test('the page of a problem has its headers, also if another problem has the same words', () => {
  const show = openProblemPages({ hasGraphiql: true });
  const exchange = { endpoint: { face: 'page' }, headers: { accept: 'text/html' } } as unknown as Exchange;
  const waits = ['1', '2'].map((seconds) => {
    const problem = new Problem('unavailable', 'Try again later.', { headers: { 'Retry-After': seconds } });
    return show(exchange, problem)?.headers['Retry-After'];
  });
  expect(waits).toEqual(['1', '2']);
});

describe('the memory of free operations', () => {
  const answerOf = (text: string) => ({
    status: 200,
    headers: { 'Content-Length': String(text.length) },
    body: `{"data":${text}`,
  });
  const requestOf = (body: string, paid: number[] = []) =>
    ({
      method: 'POST',
      search: '',
      headers: {},
      body: () => body,
      access: { admitFree: (price: number) => void paid.push(price) },
    }) as unknown as Exchange;
  const openMemory = (cpuMs = () => 0) => openFreeOperations({ enter: async () => () => {} }, cpuMs);
  type Memory = ReturnType<typeof openMemory>;
  const make = async ({ enter, run }: Memory, exchange: Exchange, text = '{}') => {
    await enter(exchange);
    return run(exchange, async () => answerOf(text));
  };

  test.each([
    [4, []],
    [5, []],
    [5.1, [1]],
    [12, [2]],
    [600, [119]],
  ])('takes one free request for each 5 ms of CPU begun, beside the one that was counted on arrival: %f ms', async (ms, paid) => {
    let now = 100;
    const memory = openMemory(() => now);
    const charged: number[] = [];
    const exchange = requestOf('__a', charged);
    await memory.enter(exchange);
    now += ms;
    await memory.run(exchange, async () => answerOf('{}'));
    expect(charged).toEqual(paid);
  });

  test('holds the last 32 responses', async () => {
    const memory = openMemory();
    for (let n = 0; n < 33; n += 1) await make(memory, requestOf(`__${n}`));
    const known = Array.from({ length: 33 }, (_, n) => memory.find(requestOf(`__${n}`)) !== undefined);
    expect(known).toEqual([false, ...Array(32).fill(true)]);
  });

  test('holds at most 8 MiB, with two bytes for each character and the compressed forms', async () => {
    const memory = openMemory();
    const third = Math.floor(8_388_608 / 3);
    await make(memory, requestOf('__a'), 'x'.repeat(third - '{"data":'.length - '1\n\n\n\na'.length - 8));
    expect(memory.find(requestOf('__a'))).toBeDefined();
    await make(memory, requestOf('__b'), 'x'.repeat(third));
    expect([memory.find(requestOf('__b')), memory.find(requestOf('__a'))]).toEqual([undefined, expect.anything()]);
  });

  test('keeps neither errors nor what was not free, and tells all parts of a request apart', async () => {
    const memory = openMemory();
    const failed = requestOf('__a');
    await memory.enter(failed);
    await memory.run(failed, async () => ({ status: 200, headers: {}, body: '{"errors":[]}' }));
    await memory.run(requestOf('__b'), async () => answerOf('{}'));
    expect([memory.find(requestOf('__a')), memory.find(requestOf('__b'))]).toEqual([undefined, undefined]);
    await make(memory, requestOf('__c'));
    const others = [
      { ...requestOf('__c'), search: '?x' },
      { ...requestOf('__c'), method: 'GET' },
      { ...requestOf('__c'), headers: { accept: 'application/json' } },
      { ...requestOf('__c'), headers: { 'content-type': 'text/plain' } },
    ];
    for (const other of others) expect(memory.find(other)).toBeUndefined();
    expect(memory.find(requestOf('__c'))).toBeDefined();
  });

  test('lets a request that waited use the response that another has made meanwhile', async () => {
    const memory = openMemory();
    const [first, second] = [requestOf('__a'), requestOf('__a')];
    expect(await memory.enter(first)).toBe(true);
    const made = await memory.run(first, async () => answerOf('{"a":1}'));
    expect(await memory.enter(second)).toBe(false);
    expect(await memory.run(second, async () => answerOf('nothing'))).toBe(made);
  });

  test('ends the work of a request that fails', async () => {
    let ended = 0;
    const leave = () => {
      ended += 1;
    };
    const memory = openFreeOperations({ enter: async () => leave }, () => 0);
    const exchange = requestOf('__a');
    await memory.enter(exchange);
    await expect(memory.run(exchange, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(ended).toBe(1);
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
      work.queued(requestOf(address), 0)(() => void order.push(address)),
    );
    await Promise.all(asked);
    expect(order).toEqual(['a', 'a', 'b', 'c', 'a', 'b', 'a']);
  });

  test('refuses the last request of the address with the most, if it is full', async () => {
    const { work, admission } = openQueue();
    const leave: Leave = await work.enter(requestOf('__a'));
    const entered = (address: string) => work.queued(requestOf(address), 0)(() => `${address} ran`);
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

  test('gives the place of a client that leaves to others, and forgets it', async () => {
    const { work, admission } = openQueue();
    const leave = await work.enter(requestOf('a'));
    const leaving = requestOf('b');
    const left = work.queued(leaving, 0)(() => 'ran');
    expect([work.waiting, leaving.outgoing.listenerCount('close')]).toEqual([1, 1]);
    leaving.outgoing.emit('close');
    await expect(left).rejects.toMatchObject({ code: 'unavailable' });
    expect([work.waiting, admission.inside, leaving.outgoing.listenerCount('close')]).toEqual([0, 0, 0]);
    const next = requestOf('c');
    const ran = work.queued(next, 0)(() => 'ran');
    leave();
    expect([await ran, next.outgoing.listenerCount('close')]).toEqual(['ran', 0]);
  });

  test('goes on after a job that fails, and skips a request whose address has no free requests left', async () => {
    const { work } = openQueue();
    const failing = work.queued(requestOf('__a'), 0)(() => Promise.reject(new Error('no')));
    const poor = {
      ...requestOf('__b'),
      access: { admitFree: () => Promise.reject(new Error('none left')) },
    } as unknown as Exchange;
    const skipped = work.queued(poor, 2)(() => 'ran');
    const next = work.queued(requestOf('__c'), 0)(() => 'ran');
    await expect(failing).rejects.toThrow('no');
    await expect(skipped).rejects.toThrow('none left');
    expect(await next).toBe('ran');
  });
});
