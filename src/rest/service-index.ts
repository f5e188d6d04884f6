/** The service index (contract §2.3): links to everything the service offers. */
import { PLANS } from '../access/plans.ts';
import type { Market } from '../catalogue/market.ts';
import { EXPORT_ROUTES } from './exports/export-routes.ts';
import type { Route } from './route.ts';

export function serviceIndex({ publicUrl }: Market, routes: readonly Route[]): unknown {
  return {
    name: 'Product Data API',
    version: 'v1',
    docs: `${publicUrl}/docs`,
    auth: 'Send your API key in the `x-api-key` header.',
    endpoints: [...[...routes, ...EXPORT_ROUTES].map(({ method = 'GET', path }) => `${method} ${path}`), 'POST /mcp'],
    plans: PLANS.map(({ requestsPerMinute: _, webhooks: _most, messagesPerMinute: _messages, ...plan }) => plan),
    openapi: `${publicUrl}/api/v1/openapi.json`,
  };
}

const text = (description: string) => ({ type: 'string', description });

export const INDEX_SCHEMA = {
  type: 'object',
  required: ['name', 'version', 'docs', 'auth', 'endpoints', 'plans', 'openapi'],
  properties: {
    name: text('The name of the service.'),
    version: text('The version of the API.'),
    docs: text('The URL of the documentation.'),
    auth: text('How to authenticate.'),
    endpoints: { type: 'array', items: { type: 'string' }, description: 'The endpoints, as method and path.' },
    plans: { type: 'array', items: { $ref: '#/components/schemas/Plan' }, description: 'The plans.' },
    openapi: text('The URL of the OpenAPI description.'),
  },
};
