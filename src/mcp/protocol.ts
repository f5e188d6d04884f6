/** Speaks the protocol with the official SDK: versions, messages and their responses. Loaded with the first message. */
import {
  createMcpHandler,
  isLegacyRequest,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { maskSecrets } from '../access/secret.ts';
import type { Answer, Exchange } from '../http/exchange.ts';
import { endpointOf } from '../operations/endpoint.ts';
import { Problem } from '../problem.ts';
import { API_VERSION } from '../rest/openapi.ts';
import { hasMoreValues } from '../values/count-values.ts';
import { excerpt } from '../values/printable.ts';
import { type CallServices, callTool } from './call-tool.ts';
import { instructions } from './instructions.ts';
import { TOOL_ROUTES, tools } from './tools.ts';

// The tools are the same for every key, and change only with a release.
const LASTING = { ttlMs: 3_600_000, cacheScope: 'public' } as const;

/** The most messages in one POST. */
export const MOST_MESSAGES = 50;
/** The most values in a message: items of lists and members of objects, at all levels. A call with a hundred identifiers has 208. */
export const MOST_MESSAGE_VALUES = 500;

/**
 * Answers the messages of one POST: a single one, or a batch from an older client.
 * @param queue runs the work for a POST without a tool call, which is free.
 */
export async function answerMessages(
  body: string,
  exchange: Exchange,
  services: CallServices,
  queue: (work: () => Promise<Answer>) => Promise<Answer>,
): Promise<Answer> {
  const request = new Request(`${services.market.publicUrl}/mcp`, {
    method: 'POST',
    headers: headersFor(exchange),
    body,
  });
  const parsedBody = withoutCancellations(parseOrNothing(body));
  const messages = [parsedBody].flat();
  // Tool calls are admitted one by one, at their price. Each other message counts as a free request.
  const free = messages.filter((message) => !isToolCall(message)).length;
  const problem = excessOf(messages);
  const count = problem || messages.length === 0 ? 1 : free;
  if (count > 0) await exchange.access.admitFree(count);
  if (problem) throw problem;
  const answer = () => answerAdmitted(request, parsedBody, exchange, services);
  return free === messages.length ? queue(answer) : answer();
}

async function answerAdmitted(
  request: Request,
  parsedBody: unknown,
  exchange: Exchange,
  services: CallServices,
): Promise<Answer> {
  const options = parsedBody === undefined ? {} : { parsedBody };
  // Messages that the SDK refuses are the client's mistakes, and the client gets the error; the log has them at debug level.
  const report = (err: Error) => services.log.debug({ requestId: exchange.id, err }, 'A message was refused');
  const serve = () => makeServer(exchange, services);
  if (!(await isLegacyRequest(request, parsedBody))) {
    // The tools never change while a process runs, so subscriptions are off.
    const handler = createMcpHandler(serve, { legacy: 'reject', maxSubscriptions: 0, onerror: report });
    return asAnswer(await handler.fetch(request, options));
  }
  // Revisions up to 2025-11-25. The SDK's default for them responds with event streams; this responds with plain JSON.
  const server = serve();
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  server.onerror = report;
  await server.connect(transport);
  try {
    return await asAnswer(await transport.handleRequest(request, options), Array.isArray(parsedBody));
  } finally {
    await server.close();
  }
}

/** A server for one request: no state is kept between requests. */
function makeServer(exchange: Exchange, services: CallServices): Server {
  const { publicUrl } = services.market;
  const server = new Server(
    { name: 'product-data-api', title: 'Product Data API', version: API_VERSION, websiteUrl: `${publicUrl}/docs` },
    {
      capabilities: { tools: {} },
      instructions: instructions(services.market),
      cacheHints: { 'tools/list': LASTING, 'server/discover': LASTING },
    },
  );
  server.setRequestHandler('tools/list', () => ({ tools: [...tools()] }));
  server.setRequestHandler('tools/call', ({ params }) => {
    const route = TOOL_ROUTES.get(params.name);
    if (!route) {
      const names = [...TOOL_ROUTES.keys()].join(', ');
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool ${params.name}: use ${names}.`);
    }
    // The last call of a batch names the endpoint.
    exchange.endpoint = endpointOf('mcp', exchange.pathname, params.name);
    return callTool(route, params.arguments ?? {}, exchange.id, services);
  });
  return server;
}

/** The headers that the protocol uses. Responses are always JSON, whatever the client's `Accept`. */
function headersFor({ headers }: Exchange): Headers {
  const kept = new Headers({ accept: 'application/json, text/event-stream' });
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === 'string' && (name === 'content-type' || name.startsWith('mcp-'))) kept.set(name, value);
  }
  return kept;
}

/** @param isBatch whether results are in an array, also a single one (JSON-RPC 2.0 §6), which the SDK answers as such. */
async function asAnswer(response: Response, isBatch = false): Promise<Answer> {
  // Errors repeat parts of the request. If these contain a key, it must not end up in the stored conversation.
  const text = maskSecrets(await response.text());
  const body = isBatch && response.ok && text.startsWith('{') ? `[${text}]` : text;
  const type = response.headers.get('content-type');
  return {
    status: response.status,
    headers: {
      ...(type !== null && { 'Content-Type': type }),
      'Content-Length': String(Buffer.byteLength(body)),
      'Cache-Control': 'no-store',
    },
    body,
  };
}

/**
 * Removes cancellations from a batch. A POST cannot cancel the requests of another, and a cancellation of a request in the same
 * batch would leave the client waiting forever for its response.
 */
function withoutCancellations(message: unknown): unknown {
  if (!Array.isArray(message)) return message;
  const others = message.filter((each) => methodOf(each) !== 'notifications/cancelled');
  return others.length > 0 ? others : message;
}

/** Refuses more than one POST may have, before the SDK checks each value and reports each that is wrong. */
function excessOf(messages: readonly unknown[]): Problem | undefined {
  const refuse = (detail: string) => new Problem('invalid_parameter', detail);
  if (messages.length > MOST_MESSAGES)
    return refuse(
      `The batch has ${messages.length} messages, but the limit is ${MOST_MESSAGES}: send them in several requests.`,
    );
  if (messages.some((message) => hasMoreValues(message, MOST_MESSAGE_VALUES)))
    return refuse(`A message has more than ${MOST_MESSAGE_VALUES} values: send fewer, or use several calls.`);
  // Only one of several answers with one id reaches the client, but each call would be charged.
  const ids = messages.flatMap((message) => (message as { id?: unknown } | null)?.id ?? []);
  const repeated = ids.find((id, index) => ids.indexOf(id) < index);
  if (repeated !== undefined)
    return refuse(
      `The batch has the id ${excerpt(JSON.stringify(repeated))} twice: give each message an id of its own.`,
    );
  // The list is long, and the same each time.
  const lists = messages.filter((message) => methodOf(message) === 'tools/list').length;
  return lists > 1 ? refuse(`The batch has \`tools/list\` ${lists} times: send it once.`) : undefined;
}

const methodOf = (message: unknown) => (message as { method?: unknown } | null | undefined)?.method;

/** Whether a message calls an existing tool and expects a response. Other messages are never charged. */
function isToolCall(message: unknown): boolean {
  const { id, method, params } = (message ?? {}) as { id?: unknown; method?: unknown; params?: { name?: unknown } };
  return id !== undefined && method === 'tools/call' && TOOL_ROUTES.has(String(params?.name));
}

function parseOrNothing(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // The SDK reports the error to the client.
  }
}
