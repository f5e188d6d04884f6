/** Clients that announce a body and send it slowly or never do not affect others (OWASP API4:2023). */
import { describe, expect, onTestFinished, test } from 'vitest';
import { MOST_BODIES, MOST_BODIES_OF_ADDRESS } from '../../src/http/bodies.ts';
import { eventually } from '../harness/eventually.ts';
import { startTestGateway } from '../harness/gateway.ts';
import { forFile } from '../harness/lifetime.ts';
import { openRawClient, type RawClient, requestText } from '../harness/raw-client.ts';

const LOOKUP = '/api/v1/lookup?ean=4006381333931';

const gateway = await forFile(startTestGateway({ TRUST_PROXY: '1', MAX_CONCURRENT_REQUESTS: '16' }));
const { key } = await gateway.makeKey('pro');

/** Sends the head of a POST without the body that it announces. */
async function announce(address: string, headers: Record<string, string> = {}, path = '/graphql'): Promise<RawClient> {
  const client = await openRawClient(gateway.address);
  onTestFinished(() => void client.socket.destroy());
  const head = { 'Content-Type': 'application/json', 'Content-Length': '9', 'X-Forwarded-For': address, ...headers };
  client.send(requestText(path, head, 'POST'));
  return client;
}

const announceMany = (count: number, addressOf: (index: number) => string, headers?: Record<string, string>) =>
  Promise.all(Array.from({ length: count }, (_, index) => announce(addressOf(index), headers)));

const statusesOf = (clients: readonly RawClient[]) =>
  Promise.all(clients.map(async (client) => (await client.answer())?.status));

describe('many clients of one address that send no body', () => {
  test('do not prevent other requests from being answered', async () => {
    const clients = await announceMany(500, () => '203.0.113.7');
    // Clients above the limit of the address are refused at once; the first ones wait for their own bodies.
    const refused = await statusesOf(clients.slice(MOST_BODIES_OF_ADDRESS));
    expect(new Set(refused)).toEqual(new Set([429]));
    // Eight at a time fit into the free places, so none is refused.
    for (let turn = 0; turn < 5; turn += 1) {
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, n) =>
          gateway.get(LOOKUP, { key, headers: { 'x-forwarded-for': `198.51.100.${n}` } }),
        ),
      );
      expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(404));
    }
    const posted = await gateway.graphql('{ plans { id } }', { headers: { 'x-forwarded-for': '198.51.100.1' } });
    expect(posted.status).toBe(200);
    // Bodies that arrive with their headers do not count, even from the same address.
    const same = await gateway.graphql('{ plans { id } }', { headers: { 'x-forwarded-for': '203.0.113.7' } });
    expect(same.status).toBe(200);
  });

  test('are told to retry, and are read again when some of them have disconnected', async () => {
    const address = '203.0.113.8';
    const first = await announceMany(MOST_BODIES_OF_ADDRESS, () => address);
    const [client] = await announceMany(1, () => address);
    const answer = await client?.answer();
    expect([answer?.status, answer?.headers['retry-after'], answer?.headers.connection]).toEqual([429, '20', 'close']);
    expect(JSON.parse(answer?.body ?? '')).toMatchObject({
      code: 'rate_limited',
      detail: expect.stringMatching(/try again/),
    });
    for (const { socket } of first.slice(0, 10)) socket.destroy();
    const later = await eventually(
      async () => {
        const again = await announce(address);
        again.send('{"a": 1} ');
        return (await again.answer())?.status;
      },
      (status) => status !== 429,
    );
    expect(later).toBe(401); // A body without an operation needs a key.
  });
});

test('bodies of many addresses share a limit, and half of it is reserved for keys known to be valid', async () => {
  await gateway.get(LOOKUP, { key });
  const addressOf = (index: number) => `192.0.2.${1 + Math.floor(index / (MOST_BODIES_OF_ADDRESS - 1))}`;
  const clients = await announceMany(MOST_BODIES / 2 + 5, addressOf);
  // The last one is refused: the others wait for their bodies and get no response.
  const answer = await Promise.race(clients.map((client) => client.answer()));
  expect([answer?.status, answer?.headers['retry-after']]).toEqual([503, '5']);
  expect((await gateway.get(LOOKUP, { key })).status).toBe(404);
  // This also holds for an address that has used up its share.
  const paying = await announce(addressOf(0), { 'x-api-key': key });
  await gateway.get('/healthz');
  paying.send('{"a": 1} ');
  expect((await paying.answer())?.status).toBe(400);
});

describe('before its body is read', () => {
  test.each([
    ['/graphql', { 'x-api-key': 'junk' }, 'invalid_api_key'],
    ['/mcp', { 'x-api-key': 'junk' }, 'invalid_api_key'],
    ['/mcp', { Authorization: 'Bearer junk' }, 'invalid_api_key'],
    ['/mcp', {}, 'missing_api_key'],
  ])('a request to %s with %o is refused', async (path, headers, code) => {
    const client = await announce('198.51.100.9', headers as Record<string, string>, path);
    const answer = await client.answer();
    expect(answer?.status).toBe(401);
    expect(answer?.body).toContain(`"code":"${code}"`);
  });
});

test('without a key, a document longer than any free one is not read', async () => {
  const long = `{ plans { id } } # ${'x'.repeat(20_000)}`;
  const { status, body } = await gateway.graphql(long);
  expect([status, body.errors[0].extensions.code]).toEqual([401, 'missing_api_key']);
  const medium = `{ plans { id } } # ${'x'.repeat(10_000)}`;
  expect((await gateway.graphql(medium)).status).toBe(401);
  expect((await gateway.graphql(medium, { key })).status).toBe(200);
});
