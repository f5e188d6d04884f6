/** The requests of lookups: over REST and over GraphQL, cold (all products equally often) or hot (most for a few products). */
import type { BenchCatalogue } from './catalogue.ts';
import type { BenchRequest, Traffic } from './load.ts';
import type { RunningServer } from './servers.ts';

const REQUESTS = 100_000;
// Four of five requests are for one percent of the products.
const HOT_SHARE = 0.8;
const HOT_PRODUCTS = 0.01;

const FIELDS = `
  identifier { ean asin mpn }
  product { name brandName url }
  priceStats { currency min max lowestEver offerCount }
  offers { merchant { name } totalPrice availability url }`;
const LOOKUP = `query Lookup($ean: String!) { lookup(ean: $ean) {${FIELDS} } }`;

/** A lookup over REST for each GTIN. */
export const lookupsOf = ({ keys }: BenchCatalogue, gtins: readonly string[]): BenchRequest[] =>
  gtins.map((gtin, n) => ({ path: `/api/v1/lookup?ean=${shown(gtin)}`, key: keys[n % keys.length] ?? '' }));

/** A lookup over GraphQL for each GTIN. @param form of the GTIN in the variable `ean`. */
export const postsOf = (
  { keys }: BenchCatalogue,
  gtins: readonly string[],
  query = LOOKUP,
  form = shown,
): BenchRequest[] =>
  gtins.map((gtin, n) => ({
    path: '/graphql',
    key: keys[n % keys.length] ?? '',
    body: JSON.stringify({ query, variables: { ean: form(gtin) } }),
  }));

/** Checks one response of each server, because GraphQL returns errors with status 200 too, and measuring those is useless. */
export async function refuseErrors(traffic: ReadonlyMap<RunningServer, Traffic>): Promise<void> {
  for (const [{ name, address }, { requests }] of traffic) {
    const [{ path, key, body } = { path: '', key: '', body: '' }] = requests;
    const headers = { 'content-type': 'application/json', 'x-api-key': key };
    const response = await fetch(address + path, body === undefined ? { headers } : { method: 'POST', headers, body });
    const answer = JSON.stringify(await response.json());
    if (!answer.includes('Shop 1')) throw new Error(`${name} answered ${answer.slice(0, 500)}`);
  }
}

/** A GTIN as shops print it. */
export const shown = (gtin = '') => gtin.replace(/^0/, '');
const some = <Value>(values: readonly Value[], count: number) =>
  Array.from({ length: count }, () => values[Math.floor(Math.random() * values.length)] as Value);

/** The products of as many requests as a run has, all equally often. */
export const pickCold = (gtins: readonly string[]) => some(gtins, REQUESTS);

/** The same, with most requests for a few popular products. */
export function pickHot(gtins: readonly string[]): string[] {
  const popular = gtins.slice(0, Math.ceil(gtins.length * HOT_PRODUCTS));
  return Array.from({ length: REQUESTS }, () => some(Math.random() < HOT_SHARE ? popular : gtins, 1)[0] ?? '');
}
