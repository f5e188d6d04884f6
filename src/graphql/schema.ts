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
import { defaultFieldResolver, type GraphQLField, type GraphQLSchema } from 'graphql';
import { builder, type Context } from '../catalogue/builder.ts';

let built: GraphQLSchema | undefined;

/** The schema, built on first use. */
export function schema(): GraphQLSchema {
  if (built) return built;
  built = builder.toSchema();
  for (const field of Object.values(built.getMutationType()?.getFields() ?? {})) requireCurrentKeyFor(field);
  return built;
}

/** Mutations change what belongs to a key, so former keys may run none: neither over GraphQL nor over the REST routes that run them. */
function requireCurrentKeyFor(field: GraphQLField<unknown, Context>): void {
  const { resolve = defaultFieldResolver } = field;
  field.resolve = async (root, values, context, info) => {
    await context.access.requireCurrentKey();
    return resolve(root, values, context, info);
  };
}
