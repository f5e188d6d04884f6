/** Overload: three times the load that the service can answer. Measures the throughput and the latency that remain. */
import { wordsOf } from '../src/values/words.ts';
import type { BenchCatalogue } from './catalogue.ts';
import { note } from './figures.ts';
import type { BenchRequest } from './load.ts';
import { driveOpen, type Outcome } from './open-load.ts';
import { median, quantile } from './quantile.ts';
import { NOTHING_KEPT, startOurs } from './servers.ts';

// More than the limit of requests in flight, so that no request waits for a connection.
const CONNECTIONS = 3_000;
const WARM_SECONDS = 10;
// The machine may be shared, so many short pairs are more reliable than a few long ones.
const ROUNDS = 9;
const SECONDS = 4;
// Clients that retry immediately after a refusal, each on its own connection.
const HASTY = 1_000;
// The rate grows by this factor until the service is overloaded; the best throughput is the peak.
const STEP = 1.15;

/** Measures the service without the cache. */
export async function measureOverload(catalogue: BenchCatalogue): Promise<void> {
  const requests = await mixOf(catalogue);
  const ours = await startOurs('ours', catalogue.url, NOTHING_KEPT);
  const drive = (rate: number, seconds = SECONDS, connections = CONNECTIONS) =>
    driveOpen({ address: ours.address, rate, seconds, connections }, requests);
  const { rate, peak } = await findPeak(drive);
  note('mixed load: highest throughput', peak, 'requests/s');
  const rounds: Outcome[] = [];
  const hasty: Outcome[] = [];
  const peaks: number[] = [];
  await drive(3 * peak, WARM_SECONDS);
  for (let round = 0; round < ROUNDS; round += 1) {
    peaks.push((await drive(rate)).goodput);
    rounds.push(await drive(3 * peak));
    hasty.push(await drive(Infinity, SECONDS, HASTY));
  }
  await ours.stop();
  const toTheMost = ({ goodput }: Outcome, n: number) => goodput / (peaks[n] ?? peak);
  note('three times that rate: throughput relative to the highest', median(rounds.map(toTheMost)), '×', 0.9);
  note(
    'three times that rate: p99 of answered requests',
    median(rounds.map(({ times }) => quantile(times, 0.99))),
    'ms',
    250,
    true,
  );
  note('three times that rate: refused', median(rounds.map(shareOf(503))) * 100, '%');
  note(
    'three times that rate: no response or another status',
    median(rounds.map(otherThan(200, 503))) * 100,
    '%',
    0,
    true,
  );
  note(`${HASTY} clients that retry at once: relative to the highest`, median(hasty.map(toTheMost)), '×', 0.9);
}

/** Raises the rate until the throughput falls short of it twice: once may be due to other work on the machine. */
async function findPeak(
  drive: (rate: number, seconds?: number) => Promise<Outcome>,
): Promise<{ rate: number; peak: number }> {
  await drive(300, WARM_SECONDS);
  let best = { rate: 0, peak: 0 };
  let short = 0;
  for (let rate = 300; short < 2; rate *= STEP) {
    const { goodput } = await drive(rate);
    if (goodput > best.peak) best = { rate, peak: goodput };
    if (goodput < 0.93 * rate) short += 1;
  }
  return best;
}

/** Requests of all kinds in equal parts: lookups, lists by price and by brand, searches, products and histories. */
export async function mixOf({ database, gtins, keys }: BenchCatalogue): Promise<BenchRequest[]> {
  const products = await database.query<{ slug: string; name: string; brand: string | null }>(
    `SELECT product.slug, product.name, brand.slug AS brand
     FROM product
     LEFT JOIN brand ON brand.id = product.brand_id
     ORDER BY md5(product.slug)
     LIMIT 5000`,
  );
  return products.flatMap(({ slug, name, brand }, n) => {
    const word = encodeURIComponent(wordsOf(name)[0]?.slice(0, 4) ?? 'a');
    const paths = [
      `/api/v1/lookup?ean=${gtins[n % gtins.length]}`,
      `/api/v1/products?sort=price_asc&minPrice=${n % 500}`,
      brand === null ? '/api/v1/products' : `/api/v1/products?brand=${brand}`,
      `/api/v1/search?q=${word}`,
      `/api/v1/products/${slug}`,
      `/api/v1/products/${slug}/price-history`,
    ];
    return paths.map((path, place) => ({ path, key: keys[(n + place) % keys.length] ?? '' }));
  });
}

const total = ({ statuses }: Outcome) => [...statuses.values()].reduce((sum, count) => sum + count, 0);
const shareOf = (status: number) => (outcome: Outcome) => (outcome.statuses.get(status) ?? 0) / total(outcome);
const otherThan =
  (...known: number[]) =>
  (outcome: Outcome) =>
    1 - known.reduce((sum, status) => sum + shareOf(status)(outcome), 0);
