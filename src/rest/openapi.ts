/** The description of the API in OpenAPI 3.1, derived from the table of routes and the GraphQL schema. */
import * as z from 'zod';
import { PLAN_IDS } from '../access/plans.ts';
import type { Market } from '../catalogue/market.ts';
import { PROBLEMS, type ProblemCode } from '../problem.ts';
import { KIND_NAMES, KINDS } from '../webhooks/kinds.ts';
import { examplePayload, PAYLOADS, VERIFICATION, VERIFICATION_PAYLOAD } from '../webhooks/payload.ts';
import { bodySchema, isCounted, type JsonSchema, PAGE_SCHEMAS } from './body-schema.ts';
import { toCsv } from './csv.ts';
import { exampleAnswer, exampleProblem } from './examples.ts';
import { EXPORT_ROUTES } from './exports/export-routes.ts';
import { EXPORT_SCHEMAS } from './exports/export-schemas.ts';
import { priceOf } from './llms.ts';
import { describeParameters } from './parameters.ts';
import { describeBody } from './request-body.ts';
import { type DescribedRoute, isPage, type Method, type Route, TAGS } from './route.ts';
import { tableOf } from './table.ts';

/** The version of the described contract. */
export const API_VERSION = '1.0.0';

const kept = new Map<string, unknown>();

/** The document of a deployment. Deployments differ only in their URLs. */
export function openApi({ publicUrl }: Market, routes: readonly Route[]): unknown {
  const known = kept.get(publicUrl) ?? describe(publicUrl, routes);
  kept.set(publicUrl, known);
  return known;
}

function describe(publicUrl: string, routes: readonly Route[]): unknown {
  const schemas: Record<string, JsonSchema> = { ...OWN_SCHEMAS, ...EXPORT_SCHEMAS };
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of [...routes, ...EXPORT_ROUTES]) {
    const { path } = route;
    paths[path] = { ...paths[path], [methodOf(route).toLowerCase()]: operationOf(route, publicUrl, schemas) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Product Data API',
      version: API_VERSION,
      summary: 'Products, offers and prices by EAN/GTIN or ASIN.',
      description: DESCRIPTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: publicUrl, description: 'This service.' }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    security: [{ apiKey: [] }],
    paths,
    webhooks: webhooksOf(publicUrl),
    components: {
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'x-api-key',
          description: 'Your API key: `pda_` and 38 letters and digits.',
        },
      },
      parameters: PARAMETERS,
      headers: HEADERS,
      responses: Object.fromEntries(
        Object.entries(FAILURES).map(([name, failure]) => [name, failureResponse(failure, publicUrl)]),
      ),
      schemas,
    },
  };
}

const DESCRIPTION = `Send an EAN/GTIN or an ASIN, get the canonical product, every shop's current price, price statistics and availability.

Every authenticated request that passes the rate limit and the quota is counted, whatever its answer; \`HEAD\` counts like \`GET\`. All routes also support \`HEAD\` and \`OPTIONS\`. Unknown values are omitted, never null (except \`Plan.priceEur\`, and \`before\` and \`after\` of a change). Amounts are numbers with the currency's own decimals; times are RFC 3339 in UTC. Lists (except changes), price histories, price statistics and price indices also come as tables: send \`Accept: text/csv\`. Errors are problem details (RFC 9457).`;

function operationOf(route: DescribedRoute, publicUrl: string, schemas: Record<string, JsonSchema>): unknown {
  return {
    operationId: route.name,
    tags: [route.tag],
    summary: route.summary,
    description: `${route.description} ${priceOf(route)}`,
    ...(!needsKey(route) && { security: [] }),
    parameters: [
      ...parametersOf(route),
      ...(isKeepable(route) ? [{ $ref: '#/components/parameters/IfNoneMatch' }] : []),
    ],
    ...(route.body && {
      requestBody: {
        required: !route.body.safeParse({}).success,
        content: { 'application/json': { schema: describeBody(route.body), example: route.exampleBody } },
      },
    }),
    responses: {
      [route.status ?? 200]: success(route, publicUrl, schemas),
      ...(isKeepable(route) && { 304: { description: 'The client’s copy is current.', headers: headersOf(route) } }),
      ...Object.fromEntries(
        Object.entries(FAILURES)
          .filter(([, { isOf }]) => isOf?.(route) ?? true)
          .map(([name, { codes }]) => [PROBLEMS[codes[0]].status, { $ref: `#/components/responses/${name}` }]),
      ),
    },
  };
}

/** The messages that the service sends. */
function webhooksOf(publicUrl: string): Record<string, unknown> {
  const at = '2026-01-31T08:00:00Z';
  const webhook = { webhookId: 'whk_1', at };
  const responses = {
    204: { description: 'Any status from 200 to 299: the message was accepted.' },
    410: { description: 'The receiver wants no more messages: the webhook is disabled.' },
  };
  const messages = KIND_NAMES.map((kind) => {
    const example = examplePayload(kind, { publicUrl, currency: 'EUR' }, webhook);
    return messageOf(kind, KINDS[kind].description, { schema: PAYLOADS[kind], example, responses });
  });
  const challenge = 'yfQ0mVxT1kE4bN7rZ2hLwS9cUaJ8dGpi';
  const verification = messageOf(
    VERIFICATION,
    'Asks the receiver of a new or changed address to confirm it: nothing else is sent to it before.',
    {
      schema: VERIFICATION_PAYLOAD,
      example: { type: VERIFICATION, timestamp: at, data: { webhookId: 'whk_1', challenge } },
      responses: {
        200: {
          description: 'The address is confirmed: the body is the text of `data.challenge`.',
          content: { 'text/plain': { schema: { type: 'string' }, example: challenge } },
        },
      },
    },
  );
  return Object.fromEntries([...messages, verification]);
}

function messageOf(
  type: string,
  description: string,
  { schema: described, example, responses }: { schema: z.ZodType; example: unknown; responses: unknown },
): [string, unknown] {
  const { $schema: _, ...schema } = z.toJSONSchema(described, { io: 'input' });
  const post = {
    operationId: `receive_${type}`.replace(/[_.](\w)/g, (_all, letter: string) => letter.toUpperCase()),
    tags: ['Webhooks'],
    summary: `Message: ${type}`,
    description: `${description} Signed according to Standard Webhooks.`,
    security: [],
    parameters: MESSAGE_HEADERS.map((name) => ({ $ref: `#/components/parameters/${name}` })),
    requestBody: { required: true, content: { 'application/json': { schema, example } } },
    responses,
  };
  return [type, { post }];
}

function parametersOf({ path, parameters }: DescribedRoute): unknown[] {
  return describeParameters(parameters).map(({ isRequired, example, ...parameter }) => ({
    ...parameter,
    in: path.includes(`{${parameter.name}}`) ? 'path' : 'query',
    required: isRequired,
    // Sent once, with commas.
    ...(parameter.schema.type === 'array' && { style: 'form', explode: false }),
    ...(example !== undefined && { example }),
  }));
}

function success(route: DescribedRoute, publicUrl: string, schemas: Record<string, JsonSchema>): unknown {
  const { source } = route;
  const example = exampleAnswer(route.name, publicUrl);
  const mediaType = 'mediaType' in source ? source.mediaType : 'application/json';
  if (route.status === 204) return { description: route.summary, headers: headersOf(route) };
  return {
    description: route.summary,
    headers: headersOf(route),
    content: {
      [mediaType]: {
        schema: 'document' in source ? bodySchema(source, schemas) : source.schema,
        ...(example !== undefined && { example }),
      },
      ...('document' in source &&
        Object.fromEntries(
          (source.forms ?? []).map(({ mediaType: type, description }) => [type, { schema: { ...text, description } }]),
        )),
      ...csvContent(route, example),
    },
  };
}

/** The same response as CSV, if the route has a CSV form. */
function csvContent({ source }: DescribedRoute, example: unknown): Record<string, unknown> {
  const table = 'document' in source ? tableOf(source) : undefined;
  if (!table) return {};
  const columns = table.columns.map((name) => `\`${name}\``).join(', ');
  const description = `A header line, then one line per row (RFC 4180). The columns: ${columns}.`;
  return {
    'text/csv': {
      schema: { type: 'string', description },
      ...(example !== undefined && { example: toCsv(table.columns, table.rowsOf(example)) }),
    },
  };
}

function headersOf(route: DescribedRoute): Record<string, unknown> {
  const { source } = route;
  if (isStreamed(route)) {
    return referTo(['X-Request-Id', 'Cache-Control', 'Vary', 'Changes-Cursor', ...ACCESS_HEADERS]);
  }
  const isGraphql = 'document' in source;
  return referTo([
    ...['X-Request-Id', ...(isRead(route) ? ['ETag'] : []), 'Cache-Control', 'Vary'],
    ...(isGraphql && source.locationOf ? ['Location'] : []),
    ...(isGraphql && (source.links !== undefined || isPage(source)) ? ['Link'] : []),
    ...(isGraphql && isCounted(source) ? ['X-Total-Count'] : []),
    // Public routes have them too if the request carries a key.
    ...ACCESS_HEADERS,
  ]);
}

const referTo = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

const header = (description: string, schema: JsonSchema, example: string | number) => ({
  description,
  schema,
  example,
});
const text = { type: 'string' };
const count = { type: 'integer', minimum: 0 };

const ACCESS_HEADERS = ['X-Plan', 'X-Quota-Limit', 'X-Quota-Remaining', 'RateLimit-Policy', 'RateLimit'];

const HEADERS = {
  'X-Request-Id': header('The id of the request: the client’s own if it sent a valid one.', text, '3f6c1b0e-5a'),
  ETag: header('The version of the response, for `If-None-Match`.', text, 'W/"Yk0d6p3xJ8"'),
  'Cache-Control': header('How long the response may be cached.', text, 'private, max-age=30'),
  Vary: header('The request headers that the response depends on.', text, 'x-api-key, Accept, Accept-Encoding'),
  Link: header(
    'Related resources (RFC 8288).',
    text,
    '</api/v1/products/markina-glow-line-highlighter-yellow>; rel="item"',
  ),
  'X-Total-Count': header(
    'With `text/csv`: the number of items in the list, if it is known exactly. JSON has it in `page`.',
    count,
    331,
  ),
  'Changes-Cursor': header(
    'The cursor of the changes that follow the export: apply them, and the copy is exact.',
    text,
    'Zjg0YjE5OGFbIjQyIl0',
  ),
  'X-Plan': header('The plan of the key.', { type: 'string', enum: PLAN_IDS }, 'pro'),
  'X-Quota-Limit': header('Requests per calendar month (UTC); 0 means unlimited.', count, 100_000),
  'X-Quota-Remaining': header('Requests left this month after this one; 9007199254740991 if unlimited.', count, 99_958),
  'RateLimit-Policy': header('Requests per minute (IETF draft, structured fields).', text, '"minute";q=600;w=60'),
  RateLimit: header('The requests left in this minute, and the seconds until it ends.', text, '"minute";r=599;t=42'),
  'Retry-After': header('Seconds to wait before a retry.', count, 42),
  Location: header('The path of what was created.', text, '/api/v1/webhooks/whk_1'),
  'WWW-Authenticate': header('How to authenticate.', text, 'ApiKey'),
  Allow: header('The allowed methods.', text, 'GET, HEAD, OPTIONS'),
};

const messageHeader = (name: string, description: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: text,
});

const PARAMETERS = {
  WebhookId: messageHeader(
    'webhook-id',
    'The id of the message: the same in every attempt, so that repeats are recognised.',
  ),
  WebhookTimestamp: messageHeader('webhook-timestamp', 'The time of the attempt, in seconds since 1970.'),
  WebhookSignature: messageHeader(
    'webhook-signature',
    '`v1,` and the base64 of the HMAC-SHA256 of `id.timestamp.body` under the secret.',
  ),
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description: 'The `ETag` of the client’s copy. A 304 response means that the copy is current.',
    schema: text,
  },
};

const MESSAGE_HEADERS = ['WebhookId', 'WebhookTimestamp', 'WebhookSignature'];

const OWN_SCHEMAS: Record<string, JsonSchema> = {
  ...PAGE_SCHEMAS,
  Problem: {
    type: 'object',
    description: 'A problem and how to solve it (RFC 9457).',
    required: ['type', 'title', 'status', 'detail', 'code'],
    properties: {
      type: { type: 'string', format: 'uri', description: 'The URL of the documentation of this kind of problem.' },
      title: { type: 'string', description: 'The kind of problem.' },
      status: { type: 'integer', description: 'The HTTP status.' },
      detail: { type: 'string', description: 'What happened and what to do.' },
      code: { type: 'string', enum: Object.keys(PROBLEMS), description: 'The kind of problem, for programs.' },
      parameter: { type: 'string', description: 'The invalid parameter, if one is.' },
      allowed: {
        type: 'array',
        items: { type: 'string' },
        description: 'The allowed values of the parameter, if they are a closed set.',
      },
    },
  },
};

interface Failure {
  description: string;
  codes: readonly [ProblemCode, ...ProblemCode[]];
  headers?: readonly string[];
  /** Whether a route can fail like this; all can without it. */
  isOf?: (route: DescribedRoute) => boolean;
}

const isMetered = ({ access }: DescribedRoute) => access === 'metered';
const isStreamed = ({ source }: DescribedRoute) => 'mediaType' in source && source.mediaType === 'application/x-ndjson';
const needsKey = ({ access }: DescribedRoute) => access !== 'limited';
const methodOf = ({ method = 'GET' }: DescribedRoute): Method => method;
const isRead = (route: DescribedRoute) => methodOf(route) === 'GET';
/** Whether a response is a page of a list without an end. */
const isEndless = ({ source }: DescribedRoute) => 'document' in source && source.shape === 'stream';
/** Whether a client may keep its copy while it is current. */
const isKeepable = (route: DescribedRoute) => isRead(route) && !isStreamed(route);

/** The routes that the state of a webhook or the plan may forbid. */
const CONFLICTING: ReadonlySet<string> = new Set(['createWebhook', 'testWebhook', 'replayWebhook']);

const FAILURES: Record<string, Failure> = {
  InvalidParameter: {
    description: 'A parameter is malformed, out of range, repeated, or not one of its allowed values.',
    codes: ['invalid_parameter', 'exactly_one_identifier'],
    headers: ACCESS_HEADERS,
    isOf: ({ parameters, body }) => body !== undefined || Object.keys(parameters.shape).length > 0,
  },
  Unauthorized: {
    description: 'The API key is missing, unknown, revoked or expired.',
    codes: ['missing_api_key', 'invalid_api_key'],
    headers: ['WWW-Authenticate'],
    isOf: needsKey,
  },
  QuotaExhausted: {
    description: 'The monthly quota is used up: wait for the next month, or move to a higher plan.',
    codes: ['quota_exhausted'],
    headers: ACCESS_HEADERS,
    isOf: isMetered,
  },
  NotWithThisKey: {
    description:
      'The public demo key only reads the catalogue, and a key that a rotation has replaced changes nothing.',
    codes: ['demo_key_refused', 'former_key_refused'],
    headers: ACCESS_HEADERS,
    isOf: (route) => route.access === 'keyed' || isStreamed(route),
  },
  NotFound: {
    description: 'The product or webhook does not exist.',
    codes: ['not_found'],
    headers: ACCESS_HEADERS,
    isOf: ({ source }) => 'document' in source && source.explainNothing !== undefined,
  },
  MethodNotAllowed: {
    description: 'The path does not support this method.',
    codes: ['method_not_allowed'],
    headers: ['Allow', ...ACCESS_HEADERS],
  },
  Conflict: {
    description: 'The plan allows no more webhooks, or the webhook is disabled.',
    codes: ['too_many_webhooks', 'webhook_disabled'],
    headers: ACCESS_HEADERS,
    isOf: ({ name }) => CONFLICTING.has(name),
  },
  BodyTooLarge: {
    description: 'The body is larger than 64 KiB.',
    codes: ['body_too_large'],
    headers: ACCESS_HEADERS,
    isOf: ({ body }) => body !== undefined,
  },
  CursorExpired: {
    description: 'The changes after the cursor are no longer kept: export the catalogue again.',
    codes: ['cursor_expired'],
    headers: ACCESS_HEADERS,
    isOf: (route) => isStreamed(route) || isEndless(route),
  },
  UriTooLong: { description: 'The URL is longer than 8192 characters.', codes: ['uri_too_long'] },
  RateLimited: {
    description: 'The requests of this minute are used up.',
    codes: ['rate_limited'],
    headers: ['Retry-After', ...ACCESS_HEADERS],
    isOf: (route) => needsKey(route) && !isStreamed(route) && !route.waits,
  },
  UnsupportedMediaType: {
    description: 'The body is not JSON, or compressed.',
    codes: ['unsupported_media_type'],
    headers: ACCESS_HEADERS,
    isOf: ({ body }) => body !== undefined,
  },
  RateLimitedOrExporting: {
    description: 'The requests of this minute are used up, or the key has too many open exports.',
    codes: ['rate_limited', 'too_many_exports'],
    headers: ['Retry-After', ...ACCESS_HEADERS],
    isOf: isStreamed,
  },
  RateLimitedOrWaiting: {
    description: 'The requests of this minute are used up, or too many requests of the key wait for changes.',
    codes: ['rate_limited', 'too_many_polls'],
    headers: ['Retry-After', ...ACCESS_HEADERS],
    isOf: ({ waits = false }) => waits,
  },
  HeadersTooLarge: { description: 'The headers are larger than 32 KiB.', codes: ['headers_too_large'] },
  InternalError: {
    description: 'The server failed; the request is not charged. The operator’s log has details under the request id.',
    codes: ['internal_error'],
    headers: ACCESS_HEADERS,
  },
  Unavailable: {
    description: 'The database is unavailable or the server is overloaded; the request is not charged.',
    codes: ['unavailable'],
    headers: ['Retry-After', ...ACCESS_HEADERS],
  },
};

function failureResponse({ description, codes, headers = [] }: Failure, publicUrl: string): unknown {
  const examples = codes.flatMap((code) => {
    const value = exampleProblem(code, publicUrl);
    return value === undefined ? [] : [[code, { summary: PROBLEMS[code].title, value }] as const];
  });
  return {
    description,
    headers: referTo(['X-Request-Id', ...headers]),
    content: {
      'application/problem+json': {
        schema: { $ref: '#/components/schemas/Problem' },
        ...(examples.length > 0 && { examples: Object.fromEntries(examples) }),
      },
    },
  };
}
