/**
 * Lookups over HTTP, compared with the peers. The servers take turns (A B A B …), so that other work on the machine affects all
 * of them equally; a ratio is the median of the ratios of adjacent rounds.
 */
import type { BenchCatalogue } from './catalogue.ts';
import { note } from './figures.ts';
import { drive, makeTraffic, type Round, type Traffic } from './load.ts';
import { lookupsOf, pickCold, pickHot, postsOf, refuseErrors, shown } from './lookup-requests.ts';
import { median } from './quantile.ts';
import { installPeers, NOTHING_KEPT, type RunningServer, startOurs, startPeer } from './servers.ts';

export interface Effort {
  connections: readonly number[];
  rounds: number;
  /** The length of a round. */
  seconds: number;
}

// Long enough for the engine to compile the hot code.
const WARM_SECONDS = 8;

// The same selection with the names that PostGraphile derives from the tables.
const POSTGRAPHILE_LOOKUP = `query Lookup($ean: String!) {
  allProductIdentifiers(condition: { kind: gtin, value: $ean }, first: 1) {
    nodes {
      value
      product: productByProductId {
        name slug mpn minTotal maxTotal lowestEver offerCount
        brand: brandByBrandId { name }
        asin: productIdentifiersByProductId(condition: { kind: asin }, first: 1) { nodes { value } }
        offers: offersByProductId(condition: { withdrawnAt: null }, orderBy: TOTAL_ASC) {
          nodes { rowId total availability merchant: merchantByMerchantId { name } }
        }
      }
    }
  }
}`;

/** Measures all request mixes and prints the figures. */
export async function measureLookups(catalogue: BenchCatalogue, folder: string, effort: Effort): Promise<void> {
  const hasPostgraphile = installPeers();
  const { url } = catalogue;
  const ours = await startOurs('ours', url);
  const answer = await fetch(`${ours.address}/api/v1/lookup?ean=${shown(catalogue.gtins[0])}`, {
    headers: { 'x-api-key': catalogue.keys[0] ?? '' },
  });
  const answerBytes = (await answer.arrayBuffer()).byteLength;
  const bare = await startPeer('bare', url, { answerBytes });
  const pg = await startPeer('fastify-pg', url);
  const metered = await startPeer('fastify-pg-metered', url);
  const prisma = await startPeer('fastify-prisma', url);
  const unkept = await startOurs('ours, without cache', url, NOTHING_KEPT);
  const servers = [ours, metered, pg, prisma, bare];
  const cold = makeTraffic(folder, 'cold', lookupsOf(catalogue, pickCold(catalogue.gtins)));
  const hot = makeTraffic(folder, 'hot', lookupsOf(catalogue, pickHot(catalogue.gtins)));

  for (const connections of effort.connections) {
    const isGoal = connections === 64;
    const inCold = await compare('cold', servers, () => cold, connections, effort);
    const inHot = await compare('hot', [...servers, unkept], () => hot, connections, effort);
    const [coldName, hotName] = [`lookup, cold, ${connections} connections`, `lookup, hot, ${connections} connections`];
    note(`${coldName}: relative to fastify-pg-metered`, inCold.ratio(ours, metered), '×', isGoal ? 3 : undefined);
    note(`${coldName}: relative to fastify-pg`, inCold.ratio(ours, pg), '×', isGoal ? 1.5 : undefined);
    note(`${coldName}: relative to fastify-prisma`, inCold.ratio(ours, prisma), '×');
    note(`${coldName}: p99 relative to fastify-pg`, inCold.tail(ours, pg), '×', isGoal ? 1 : undefined, true);
    note(`${hotName}: relative to fastify-pg-metered`, inHot.ratio(ours, metered), '×', isGoal ? 5 : undefined);
    note(`${hotName}: relative to bare node:http`, inHot.ratio(ours, bare), '×', isGoal ? 0.35 : undefined);
    note(`${hotName}: relative to ours without cache`, inHot.ratio(ours, unkept), '×');
    note(`${hotName}: p99 relative to fastify-pg`, inHot.tail(ours, pg), '×', isGoal ? 1 : undefined, true);
  }
  await Promise.all([pg, metered, prisma, bare].map((server) => server.stop()));

  const ourPosts = makeTraffic(folder, 'graphql', postsOf(catalogue, pickCold(catalogue.gtins)));
  // GraphQL has no cache of answers, so it is compared with REST without one.
  const faces = new Map([
    [ours, ourPosts],
    [unkept, cold],
  ]);
  await refuseErrors(faces);
  const inBoth = await compare(
    'GraphQL and REST without cache, cold',
    [ours, unkept],
    (each) => faces.get(each),
    64,
    effort,
  );
  const overRest = 'lookup over GraphQL, cold, 64 connections: relative to REST without cache';
  note(overRest, inBoth.ratio(ours, unkept), '×', 0.6);
  await unkept.stop();

  if (hasPostgraphile) {
    const postgraphile = await startPeer('postgraphile', url, { isNewNode: true });
    const posts = postsOf(catalogue, pickCold(catalogue.gtins), POSTGRAPHILE_LOOKUP, (gtin = '') => gtin);
    const traffic = new Map([
      [ours, ourPosts],
      [postgraphile, makeTraffic(folder, 'postgraphile', posts)],
    ]);
    await refuseErrors(traffic);
    const overGraphql = await compare(
      'GraphQL, cold',
      [ours, postgraphile],
      (server) => traffic.get(server),
      64,
      effort,
    );
    note(
      'lookup over GraphQL, cold, 64 connections: relative to PostGraphile',
      overGraphql.ratio(ours, postgraphile),
      '×',
      2,
    );
    await postgraphile.stop();
  } else process.stdout.write('PostGraphile was not measured, because Node.js 24 could not be installed for it.\n');
  await ours.stop();
}

/** The speed of lookups in this catalogue relative to a small one, without the cache. */
export async function measureGrowth(
  catalogue: BenchCatalogue,
  small: BenchCatalogue,
  folder: string,
  effort: Effort,
): Promise<void> {
  const [count, fewer] = [catalogue.gtins.length, small.gtins.length];
  const traffic = new Map<RunningServer, Traffic>();
  for (const each of [catalogue, small]) {
    const { url, gtins } = each;
    const server = await startOurs(`${gtins.length} products`, url, NOTHING_KEPT);
    traffic.set(server, makeTraffic(folder, `of-${gtins.length}`, lookupsOf(each, pickCold(gtins))));
  }
  const servers = [...traffic.keys()] as [RunningServer, RunningServer];
  const grown = await compare('growing', servers, (server) => traffic.get(server), 64, effort);
  note(`lookup: with ${count} products relative to ${fewer}`, grown.ratio(...servers), '×', 0.9);
  await Promise.all(servers.map((server) => server.stop()));
}

/** Runs rounds of all servers in turn. */
async function compare(
  mix: string,
  servers: readonly RunningServer[],
  trafficOf: (server: RunningServer) => Traffic | undefined,
  connections: number,
  { rounds, seconds }: Effort,
) {
  const results = new Map<RunningServer, Round[]>(servers.map((server) => [server, []]));
  const once = async (server: RunningServer, length: number) => {
    const traffic = trafficOf(server);
    if (!traffic) throw new Error(`There is no traffic for ${server.name}.`);
    return drive({ address: server.address, connections, seconds: length }, traffic);
  };
  for (const server of servers) await once(server, WARM_SECONDS);
  for (let round = 0; round < rounds; round += 1) {
    for (const server of servers) results.get(server)?.push(await once(server, seconds));
  }
  const of = (server: RunningServer) => results.get(server) ?? [];
  for (const server of servers) {
    const name = `lookup, ${mix}, ${connections} connections: ${server.name}`;
    note(name, median(of(server).map(({ rate }) => rate)), 'requests/s');
    note(`${name}, p50`, median(of(server).map(({ p50 }) => p50)), 'ms');
    note(`${name}, p99`, median(of(server).map(({ p99 }) => p99)), 'ms');
  }
  const paired = (one: RunningServer, other: RunningServer, pick: (round: Round) => number) =>
    median(of(one).map((round, n) => pick(round) / pick(of(other)[n] ?? round)));
  return {
    ratio: (one: RunningServer, other: RunningServer) => paired(one, other, ({ rate }) => rate),
    tail: (one: RunningServer, other: RunningServer) => paired(one, other, ({ p99 }) => p99),
  };
}
