// Written by `npm run codegen`: do not change it by hand.
/* eslint-disable */
import * as types from './graphql.js';



/**
 * Map of all GraphQL operations in the project.
 *
 * This map has several performance disadvantages:
 * 1. It is not tree-shakeable, so it will include all operations in the project.
 * 2. It is not minifiable, so the string of a GraphQL query will be multiple times inside the bundle.
 * 3. It does not support dead code elimination, so it will add unused operations.
 *
 * Therefore it is highly recommended to use the babel or swc plugin for production.
 * Learn more about it here: https://the-guild.dev/graphql/codegen/plugins/presets/preset-client#reducing-bundle-size
 */
type Documents = {
    "\n  query ExampleLookup($ean: String!) {\n    lookup(ean: $ean) {\n      product { id name }\n      priceStats { min currency }\n      offers { merchantName totalPrice availability }\n    }\n  }\n": typeof types.ExampleLookupDocument,
    "\n  subscription ExamplePrices($ids: [ID!]!, $after: String) {\n    priceChanged(productIds: $ids, after: $after) {\n      cursor\n      at\n      previousMin\n      min\n      currency\n      product { name }\n    }\n  }\n": typeof types.ExamplePricesDocument,
};
const documents: Documents = {
    "\n  query ExampleLookup($ean: String!) {\n    lookup(ean: $ean) {\n      product { id name }\n      priceStats { min currency }\n      offers { merchantName totalPrice availability }\n    }\n  }\n": types.ExampleLookupDocument,
    "\n  subscription ExamplePrices($ids: [ID!]!, $after: String) {\n    priceChanged(productIds: $ids, after: $after) {\n      cursor\n      at\n      previousMin\n      min\n      currency\n      product { name }\n    }\n  }\n": types.ExamplePricesDocument,
};

/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ExampleLookup($ean: String!) {\n    lookup(ean: $ean) {\n      product { id name }\n      priceStats { min currency }\n      offers { merchantName totalPrice availability }\n    }\n  }\n"): typeof import('./graphql.js').ExampleLookupDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription ExamplePrices($ids: [ID!]!, $after: String) {\n    priceChanged(productIds: $ids, after: $after) {\n      cursor\n      at\n      previousMin\n      min\n      currency\n      product { name }\n    }\n  }\n"): typeof import('./graphql.js').ExamplePricesDocument;


export function graphql(source: string) {
  return (documents as any)[source] ?? {};
}
