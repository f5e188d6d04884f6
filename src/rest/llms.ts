/** `/llms.txt`: an overview of the service for language models (llmstxt.org). */
import { PLANS } from '../access/plans.ts';
import type { Market } from '../catalogue/market.ts';
import { PROBLEMS } from '../problem.ts';
import { EXPORT_ROUTES } from './exports/export-routes.ts';
import { type DescribedRoute, type Route, requestTarget, toolNameOf } from './route.ts';

export function llmsText({ publicUrl, currency }: Market, routes: readonly Route[]): string {
  const link = (path: string, title: string, text: string) => `- [${title}](${publicUrl}${path}): ${text}`;
  return `# Product Data API

> Product data and price comparison: send an EAN/GTIN or an ASIN, get the canonical product, every shop's current price (${currency}), price statistics and availability. Search, filters, price history, statistics, categories, brands, merchants and guides over REST and GraphQL.

Authenticate with the header \`x-api-key: <your key>\`; the operator issues keys. Every response to an authenticated request has the headers \`X-Quota-Remaining\` (requests left this month) and \`RateLimit\` (requests left this minute). All requests but lookups of many products at once, those of webhooks and the rotation of a key are \`GET\` and return JSON with the member \`data\`; lists add \`page.nextCursor\`, to be sent back as \`cursor\`. Lists except changes, price histories, price statistics and price indices are also available as CSV with \`Accept: text/csv\`. Unknown values are omitted, never null.

## Routes

${[...routes, ...EXPORT_ROUTES].map((route) => `${link(exampleUrl(route), `${route.method ?? 'GET'} ${route.path}`, route.description)} ${priceOf(route)}${parametersOf(route)}`).join('\n')}

## GraphQL

${link('/graphql', 'POST /graphql', 'The same data in one schema, which supports introspection; open it in a browser for GraphiQL. Example: `{"query": "{ lookup(ean: \\"4006381333931\\") { product { name } offers { merchantName totalPrice } } }"}`. Costs one request for each root field; `lookups(identifiers: [...])` costs one for each identifier.')}

## Tools for agents

The same data is available over the Model Context Protocol: connect an MCP client to \`${publicUrl}/mcp\` (streamable HTTP) with the key in \`x-api-key\`, or as \`Authorization: Bearer <your key>\`. Each tool call costs one request, like its route.

${routes
  .filter((route) => route.tool !== undefined)
  .map((route) => `- \`${toolNameOf(route)}\`: ${route.tool}`)
  .join('\n')}

## Errors

Errors are \`application/problem+json\` (RFC 9457) with \`code\`, \`detail\` (what to do) and \`parameter\`. Not charged: 401, 402, 429 and 5xx.

${Object.entries(PROBLEMS)
  .map(([code, { status, title }]) => link(`/docs/errors#${code}`, code, `${status}, ${title}.`))
  .join('\n')}

## Plans

${PLANS.map(({ id, monthlyQuota, priceEur }) => `- ${id}: ${monthlyQuota === 0 ? 'unlimited requests' : `${monthlyQuota} requests a month`}, ${priceEur === null ? 'price on request' : `${priceEur} EUR a month`}.`).join('\n')}

## Documentation

${link('/api/v1/openapi.json', 'OpenAPI 3.1', 'All routes, parameters, responses and errors, for tools.')}
${link('/docs', 'Guide', 'How to use the API, in prose.')}
${link('/docs/changes', 'Changes', 'How to keep a copy of the catalogue in step.')}
${link('/docs/exports', 'Exports', 'How to download everything, and resume.')}
${link('/docs/webhooks', 'Webhooks', 'How to be told of changes, and verify the messages.')}
${link('/docs/agents', 'Agents', 'How to connect an MCP client, and what the tools return.')}
${link('/docs/errors', 'Errors', 'Each error code and how to fix it.')}
`;
}

/** The path of a route's example request. */
export function exampleUrl(route: DescribedRoute): string {
  const { pathname, search } = requestTarget(route, route.example);
  return pathname + search;
}

/** What a request costs, by access class. */
const COSTS = {
  limited: 'Public and free.',
  keyed: 'Free, at most 60 a minute.',
  metered: 'Costs one request.',
} as const satisfies Record<Route['access'], string>;

/** The price of a route, as a sentence. */
export const priceOf = ({ access, price = COSTS[access] }: DescribedRoute): string => price;

function parametersOf({ parameters, body }: DescribedRoute): string {
  const names = Object.keys({ ...parameters.shape, ...body?.shape });
  return names.length > 0 ? ` Parameters: ${names.map((name) => `\`${name}\``).join(', ')}.` : '';
}
