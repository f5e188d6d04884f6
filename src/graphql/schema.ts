/** The one schema of the service: both faces run on it. */
import '../catalogue/article.ts';
import '../catalogue/lookup.ts';
import '../catalogue/offer-connection.ts';
import '../catalogue/price-event.ts';
import '../catalogue/price-history.ts';
import '../catalogue/product-list.ts';
import '../catalogue/search.ts';
import './plans.ts';
import './viewer.ts';
import type { GraphQLSchema } from 'graphql';
import { builder } from '../catalogue/builder.ts';

let built: GraphQLSchema | undefined;

/** The schema, built when it is first asked for. */
export function schema(): GraphQLSchema {
  built ??= builder.toSchema();
  return built;
}
