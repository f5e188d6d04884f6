/** Prints a product's prices over GraphQL, then follows price changes. Typed documents are sent as text or by hash. */
import { createClient, NetworkError, type RequestParams } from 'graphql-sse';
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
  subscription ExamplePrices($ids: [ID!]!, $after: String) {
    priceChanged(productIds: $ids, after: $after) {
      cursor
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
// Each connection continues after the last event, so none is missed or repeated when the server restarts.
const RECONNECT_MS = 1_000;
const client = createClient({ url, headers, retryAttempts: 0 });
let after: string | undefined;
for (;;) {
  // The types of graphql-sse allow only operations sent as text, but it sends any parameters.
  const subscription = operation(Prices, { ids: [lookup.product.id], after }) as RequestParams;
  try {
    for await (const { data, errors } of client.iterate<ExamplePricesSubscription>(subscription)) {
      if (!data) {
        console.error(errors?.map(({ message }) => message).join(' '));
        if (errors?.[0]?.extensions?.code === 'unavailable') break;
        process.exit(1);
      }
      const { cursor, at, previousMin, min, product } = data.priceChanged;
      after = cursor;
      console.log(`${at}  ${product.name}: from ${previousMin ?? '–'} to ${min ?? '–'}`);
    }
  } catch (error) {
    const status = error instanceof NetworkError ? (error.response as Response | undefined)?.status : undefined;
    if (status !== undefined && status >= 400 && status < 500 && status !== 429) throw error;
    console.error(`Disconnected (${error instanceof Error ? error.message : error}); connecting again.`);
  }
  await new Promise((resolve) => setTimeout(resolve, RECONNECT_MS));
}
