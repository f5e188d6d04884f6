/** Prints a product's prices over REST. The types of paths, parameters and members come from the service's own description. */
import createClient from 'openapi-fetch';
import type { paths } from './rest-api.ts';

const { PRODUCT_DATA_URL = 'http://127.0.0.1:4000', PRODUCT_DATA_KEY = '' } = process.env;
const [ean = '4006381333931'] = process.argv.slice(2);

// Some responses have other forms too; this client reads JSON.
const client = createClient<paths, `application/${string}json`>({
  baseUrl: PRODUCT_DATA_URL,
  headers: { 'x-api-key': PRODUCT_DATA_KEY },
});

const { data, error, response } = await client.GET('/api/v1/lookup', { params: { query: { ean } } });
if (error) {
  // The detail of a problem says what to do (RFC 9457).
  console.error(`${error.title}: ${error.detail}`);
  process.exit(1);
}

const { product, priceStats, offers } = data.data;
console.log(`${product.name}, from ${priceStats.min ?? '–'} ${priceStats.currency}`);
for (const { merchant, totalPrice, availability } of offers) {
  console.log(`  ${totalPrice.toFixed(2).padStart(9)}  ${merchant} (${availability})`);
}

const slug = new URL(product.url).pathname.split('/').at(-1) ?? '';
const history = await client.GET('/api/v1/products/{id}/price-history', {
  params: { path: { id: slug }, query: { days: 180, interval: 'month' } },
});
for (const { date, min } of history.data?.data.points ?? [])
  console.log(`  ${date.slice(0, 7)}  from ${min.toFixed(2)}`);
console.log(`${response.headers.get('x-quota-remaining')} requests were left this month before the history request.`);
