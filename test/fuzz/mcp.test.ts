/** Valid and damaged messages to the MCP server: never a server error, and every response is JSON-RPC. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fillCatalogue } from '../harness/catalogue.ts';
import { anyText, ODD_TEXTS, tries } from '../harness/fuzz.ts';
import { startTestGateway } from '../harness/gateway.ts';
import { forFile } from '../harness/lifetime.ts';

interface Tool {
  name: string;
  inputSchema: { properties: Record<string, { enum?: string[]; type?: string; examples?: unknown[] }> };
}

const headersFor = (version?: string) => ({
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  ...(version !== undefined && { 'mcp-protocol-version': version }),
});
const post = (body: string, headers: Record<string, string> = headersFor('2025-06-18')) =>
  gateway.get('/mcp', { method: 'POST', key, headers, body, signal: AbortSignal.timeout(20_000) });

const gateway = await forFile(startTestGateway());
const { key } = await gateway.makeKey('enterprise');
await fillCatalogue(gateway);
const { body } = await post('{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}');
const tools: Tool[] = body.result.tools;

const odd: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(...ODD_TEXTS),
  anyText(),
  fc.jsonValue({ maxDepth: 2 }),
  fc.integer(),
  fc.constantFrom<unknown>('echo', 'thunder-speaker', '4006381333931', 10, 'prd_1', '2026-01-01'),
);

/** A call of a tool, with described and other arguments. */
const call = fc
  .record({
    pick: fc.nat(),
    values: fc.array(odd, { minLength: 6, maxLength: 6 }),
    mask: fc.nat(),
    isRight: fc.boolean(),
  })
  .map(({ pick, values, mask, isRight }) => {
    const tool = tools[pick % tools.length];
    const names = Object.entries(tool?.inputSchema.properties ?? {}).filter((_, index) => (mask >> index) % 2 === 1);
    const given = names.map(([name, described], index) => {
      const right = described.enum?.[mask % described.enum.length] ?? described.examples?.[0];
      return [name, isRight ? (right ?? values[index % 6]) : values[index % 6]];
    });
    return { method: 'tools/call', params: { name: tool?.name, arguments: Object.fromEntries(given) } };
  });

const message = fc
  .tuple(
    fc.oneof(
      { weight: 4, arbitrary: call },
      {
        weight: 1,
        arbitrary: fc.record(
          {
            method: fc.constantFrom(
              ...'initialize ping tools/list tools/call server/discover notifications/initialized'.split(' '),
              ...'notifications/cancelled resources/list prompts/get logging/setLevel'.split(' '),
              ...'completion/complete subscriptions/listen tasks/get __proto__'.split(' '),
              '',
            ),
            params: odd,
          },
          { requiredKeys: ['method'] },
        ),
      },
      { weight: 1, arbitrary: fc.record({ method: odd, params: odd, result: odd, error: odd }, { requiredKeys: [] }) },
    ),
    fc.oneof({ weight: 5, arbitrary: fc.constantFrom<unknown>(1, 'a', 0, -1) }, { weight: 1, arbitrary: odd }),
    fc.constantFrom<unknown>('2.0', '2.0', '2.0', '2.0', '1.0', 2, null),
    fc.boolean(),
  )
  .map(
    ([body, id, jsonrpc, hasId]): Record<string, unknown> => ({
      jsonrpc,
      ...(hasId || 'params' in body ? { id } : {}),
      ...body,
    }),
  );

/** Checks a response against JSON-RPC 2.0 §5. */
function checkMessage(sent: string, answer: Record<string, unknown>): void {
  expect([sent, answer.jsonrpc]).toEqual([sent, '2.0']);
  expect([sent, 'result' in answer !== 'error' in answer]).toEqual([sent, true]);
  expect(answer.id === null || answer.id === undefined || /string|number/.test(typeof answer.id)).toBe(true);
  if (!answer.error) return;
  const { code, message: words } = answer.error as { code: unknown; message: unknown };
  expect([sent, Number.isInteger(code), typeof words]).toEqual([sent, true, 'string']);
  // -32603 is an internal error of the server.
  expect([sent, words, code]).not.toEqual([sent, words, -32_603]);
}

test('every message is answered with JSON-RPC or a problem, never with a server error', async () => {
  const sent = fc.oneof(
    { weight: 6, arbitrary: message.map((one) => JSON.stringify(one)) },
    { weight: 1, arbitrary: fc.array(message, { maxLength: 4 }).map((all) => JSON.stringify(all)) },
    {
      weight: 1,
      arbitrary: fc.oneof(
        anyText(),
        fc.json(),
        fc.constantFrom('', '{', '[[]]', '[null]', '[1]', '"a"', `{"a":${'['.repeat(2_000)}${']'.repeat(2_000)}}`),
      ),
    },
  );
  const version = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom('2025-06-18', '2025-11-25', '2025-03-26', '2024-11-05') },
    { weight: 1, arbitrary: fc.constantFrom(undefined, '', '1999-01-01', '2026-07-28', 'é', 'x'.repeat(300)) },
  );
  await fc.assert(
    fc.asyncProperty(sent, version, async (body, protocol) => {
      const name = protocol === undefined ? undefined : Buffer.from(protocol).toString('latin1');
      const { status, headers, text } = await post(body, headersFor(name));
      expect(status, `${body}\n${text}`).toBeLessThan(500);
      if (text === '') return;
      const answer = JSON.parse(text);
      if (headers.get('content-type') === 'application/problem+json') expect(answer.status).toBe(status);
      else for (const each of [answer].flat()) checkMessage(body, each);
      expect(text).not.toContain('internal_error');
    }),
    tries(250),
  );
});
