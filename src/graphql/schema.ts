/** The one schema of the service: both faces run on it. */
import '../catalogue/lookup.ts';
import '../catalogue/product.ts';
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
