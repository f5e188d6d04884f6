/** Prints a product's prices over GraphQL, then follows price changes. Typed documents are sent as text or by hash. */
import { createClient, type RequestParams } from 'graphql-sse';
import type { ExamplePricesSubscription, TypedDocumentString } from './generated/graphql.ts';
import { graphql } from './generated/index.ts';

const { PRODUCT_DATA_URL = 'http://127.0.0.1:4000', PRODUCT_DATA_KEY = '', SEND_HASHES, LISTEN = 'true' } = process.env;
const [ean = '4006381333931'] = process.argv.slice(2);
const url = `${PRODUCT_DATA_URL}/graphql`;
const headers = { 'x-api-key': PRODUCT_DATA_KEY };

const Lookup = graphql(`
  query ExampleLookup($ean: String!) {
    lookup(ean: $ean) {
      product { id name }
      priceStats { min currency }
      offers { merchantName totalPrice availability }
    }
  }
`);

const Prices = graphql(`
  subscription ExamplePrices($ids: [ID!]!) {
    priceChanged(productIds: $ids) {
      at
      previousMin
      min
      currency
      product { name }
    }
  }
`);

/** The request for an operation. A server that trusts the document needs only its hash. */
function operation<Result, Variables>(document: TypedDocumentString<Result, Variables>, variables: Variables) {
  const { hash } = document.__meta__ ?? {};
  return SEND_HASHES === 'true' ? { documentId: hash, variables } : { query: document.toString(), variables };
}

async function ask<Result, Variables>(
  document: TypedDocumentString<Result, Variables>,
  variables: Variables,
): Promise<Result> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(operation(document, variables)),
  });
  const { data, errors } = (await response.json()) as { data?: Result; errors?: { message: string }[] };
  if (errors || !data) throw new Error(errors?.map(({ message }) => message).join(' ') ?? response.statusText);
  return data;
}

const { lookup } = await ask(Lookup, { ean });
if (!lookup) {
  console.error(`No product has the EAN ${ean}.`);
  process.exit(1);
}
console.log(`${lookup.product.name}, from ${lookup.priceStats.min ?? '–'} ${lookup.priceStats.currency}`);
for (const { merchantName, totalPrice, availability } of lookup.offers) {
  console.log(`  ${totalPrice.toFixed(2).padStart(9)}  ${merchantName} (${availability})`);
}
if (LISTEN !== 'true') process.exit(0);

console.log('Listening for price changes; press Ctrl-C to stop.');
const client = createClient({ url, headers });
// The types of graphql-sse allow only operations sent as text, but it sends any parameters.
const subscription = operation(Prices, { ids: [lookup.product.id] }) as RequestParams;
const events = client.iterate<ExamplePricesSubscription>(subscription);
for await (const { data, errors } of events) {
  if (!data) throw new Error(errors?.map(({ message }) => message).join(' '));
  const { at, previousMin, min, product } = data.priceChanged;
  console.log(`${at}  ${product.name}: from ${previousMin ?? '–'} to ${min ?? '–'}`);
}
