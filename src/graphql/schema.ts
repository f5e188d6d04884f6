/** The schema of the service, on which both GraphQL and REST run. */
import '../account/account-fields.ts';
import '../catalogue/article/article.ts';
import '../catalogue/change/change.ts';
import '../catalogue/code/resolve.ts';
import '../catalogue/deal/deal.ts';
import '../catalogue/lookup/lookup.ts';
import '../catalogue/lookup/lookup-batch.ts';
import '../catalogue/offer/offer-connection.ts';
import '../catalogue/offer/reduction.ts';
import '../catalogue/live-prices/price-event.ts';
import '../catalogue/merchant-comparison/merchant-comparison.ts';
import '../catalogue/price-history/price-history.ts';
import '../catalogue/price-index/price-index.ts';
import '../catalogue/price-stats/price-stats.ts';
import '../catalogue/product/product-list.ts';
import '../catalogue/product/unit-price.ts';
import '../catalogue/product/variant.ts';
import '../catalogue/search/search.ts';
import '../webhooks/webhook-fields.ts';
import './plans.ts';
import './viewer.ts';
import type { GraphQLSchema } from 'graphql';
import { builder } from '../catalogue/builder.ts';

let built: GraphQLSchema | undefined;

/** The schema, built on first use. */
export function schema(): GraphQLSchema {
  built ??= builder.toSchema();
  return built;
}
