/** What a product costs, over GraphQL: documents with types, sent as text or by their hashes; then its prices as they change. */
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

/** An operation as it is sent: a server that trusts the document needs its hash alone. */
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

console.log('Listening for other prices; Ctrl-C ends it.');
const client = createClient({ url, headers });
// Its types know operations that are sent as text only; it sends what it is given.
const subscription = operation(Prices, { ids: [lookup.product.id] }) as RequestParams;
const events = client.iterate<ExamplePricesSubscription>(subscription);
for await (const { data, errors } of events) {
  if (!data) throw new Error(errors?.map(({ message }) => message).join(' '));
  const { at, previousMin, min, product } = data.priceChanged;
  console.log(`${at}  ${product.name}: from ${previousMin ?? '–'} to ${min ?? '–'}`);
}
