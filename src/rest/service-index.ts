/** The service index (contract §2.3): what there is and where. */
import { PLANS } from '../access/plans.ts';
import type { Market } from '../catalogue/market.ts';
import type { Route } from './route.ts';

export function serviceIndex({ publicUrl }: Market, routes: readonly Route[]): unknown {
  return {
    name: 'Product Data API',
    version: 'v1',
    docs: `${publicUrl}/docs`,
    auth: 'Send your API key in the `x-api-key` header.',
    endpoints: routes.map((route) => `GET ${route.path}`),
    plans: PLANS,
    openapi: `${publicUrl}/api/v1/openapi.json`,
  };
}
