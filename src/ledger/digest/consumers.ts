/** The tables that derive from the ledger, in the order in which a step of the digest refreshes them. A new one needs a row here. */
import { aggregateProducts } from '../aggregates/aggregate-products.ts';
import { refreshDeals } from '../deals/refresh-deals.ts';
import type { Consumer } from './consumer.ts';

export const CONSUMERS: readonly Consumer[] = [refreshDeals, aggregateProducts];
