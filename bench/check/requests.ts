/** The rows that are requests over HTTP: each version answers them from processes of its own, which are new in each run. */
import type { BenchCatalogue } from '../catalogue.ts';
import { cpuSecondsOf, cpuSecondsOfSessions } from '../cpu.ts';
import { filterPaths, searchPaths } from '../list-paths.ts';
import { type BenchRequest, drive, makeTraffic, type Traffic } from '../load.ts';
import { lookupsOf, pickCold, pickHot, postsOf, refuseErrors } from '../lookup-requests.ts';
import type { Part } from '../options.ts';
import { mixOf } from '../overload.ts';
import { NOTHING_KEPT, type RunningServer, startOurs } from '../servers.ts';
import { type Order, type Take, turns, type Version } from './versions.ts';

interface RequestRow {
  name: string;
  part: Part;
  connections: number;
  /** Whether the service caches answers. */
  isCached?: boolean;
  requests(catalogue: BenchCatalogue): BenchRequest[] | Promise<BenchRequest[]>;
}

const WARM_SECONDS = 2;
// Many short turns rather than a few long ones: other work on a shared machine comes in bursts of seconds.
const TURN_SECONDS = 1;
const PAIRS = 4;
const LISTS = 2_000;

const ROWS: readonly RequestRow[] = [
  {
    name: 'lookup, cold',
    part: 'lookups',
    connections: 64,
    requests: (catalogue) => lookupsOf(catalogue, pickCold(catalogue.gtins)),
  },
  {
    name: 'lookup, hot',
    part: 'lookups',
    connections: 64,
    isCached: true,
    requests: (catalogue) => lookupsOf(catalogue, pickHot(catalogue.gtins)),
  },
  {
    name: 'lookup over GraphQL, cold',
    part: 'lookups',
    connections: 64,
    requests: (catalogue) => postsOf(catalogue, pickCold(catalogue.gtins)),
  },
  {
    name: 'products by price and order',
    part: 'lists',
    connections: 16,
    requests: async (catalogue) => asRequests(catalogue, (await filterPaths(catalogue.database, LISTS)).byPrice),
  },
  {
    name: 'products by brand, price and order',
    part: 'lists',
    connections: 16,
    requests: async (catalogue) => asRequests(catalogue, (await filterPaths(catalogue.database, LISTS)).byBrand),
  },
  {
    name: 'search',
    part: 'lists',
    connections: 16,
    requests: async (catalogue) => asRequests(catalogue, await searchPaths(catalogue.database, LISTS)),
  },
  { name: 'mixed load', part: 'overload', connections: 32, requests: mixOf },
];

const asRequests = ({ keys }: BenchCatalogue, paths: readonly string[]): BenchRequest[] =>
  paths.map((path, n) => ({ path, key: keys[n % keys.length] ?? '' }));

/** The rows of some parts. */
export const requestRowsOf = (parts: readonly Part[]): readonly RequestRow[] =>
  ROWS.filter(({ part }) => parts.includes(part));

/** Writes the requests of a row to files, the same for both versions if they use the same catalogue. */
export async function makeTraffics(rows: readonly RequestRow[], order: Order, folder: string) {
  const traffics = new Map<BenchCatalogue, Map<RequestRow, Traffic>>();
  for (const { catalogue } of order) {
    if (traffics.has(catalogue)) continue;
    const ofRows = new Map<RequestRow, Traffic>();
    for (const [n, row] of rows.entries()) {
      const name = `${traffics.size}-${n}`;
      ofRows.set(row, makeTraffic(folder, name, await row.requests(catalogue)));
    }
    traffics.set(catalogue, ofRows);
  }
  return traffics;
}

/** Measures rows once. */
export async function measureRequests(
  rows: readonly RequestRow[],
  order: Order,
  traffics: Awaited<ReturnType<typeof makeTraffics>>,
  take: Take,
): Promise<void> {
  for (const isCached of [false, true]) {
    const asked = rows.filter((row) => (row.isCached ?? false) === isCached);
    if (asked.length === 0) continue;
    const servers = new Map<Version, RunningServer>();
    for (const version of order) {
      const environment = { DRAIN_DELAY_SECONDS: '0', ...(!isCached && NOTHING_KEPT) };
      const { name, catalogue, folder } = version;
      servers.set(version, await startOurs(name, catalogue.url, environment, folder));
    }
    for (const row of asked) {
      const drives = async (version: Version, seconds: number) => {
        const server = servers.get(version);
        const traffic = traffics.get(version.catalogue)?.get(row);
        if (!server || !traffic) throw new Error(`${row.name} has no server or no requests.`);
        if (traffic.requests[0]?.body !== undefined) await refuseErrors(new Map([[server, traffic]]));
        const stop = await startClock(server, version.catalogue);
        const { rate, responses } = await drive(
          { address: server.address, connections: row.connections, seconds },
          traffic,
        );
        const cpuSeconds = await stop();
        return { count: responses, seconds: responses / rate, cpuSeconds };
      };
      for (const version of order) await drives(version, WARM_SECONDS);
      for (const version of turns(order, PAIRS)) {
        take({ name: row.name, unit: 'requests/s' }, version, await drives(version, TURN_SECONDS));
      }
    }
    for (const server of servers.values()) await server.stop();
  }
}

/**
 * Starts to measure the CPU time of a gateway and of the sessions of its database, of which those of the other version are idle.
 *
 * @returns a function that returns the time since then, in seconds; undefined if it is not known for both.
 */
async function startClock({ pid }: RunningServer, { database }: BenchCatalogue) {
  const gatewayBefore = cpuSecondsOf(pid);
  const before = await cpuSecondsOfSessions(database);
  return async (): Promise<number | undefined> => {
    const gateway = cpuSecondsOf(pid);
    const after = await cpuSecondsOfSessions(database);
    if (gateway === undefined || gatewayBefore === undefined || after === undefined) return undefined;
    const sessions = [...after].reduce((sum, [session, seconds]) => sum + seconds - (before?.get(session) ?? 0), 0);
    return gateway - gatewayBefore + sessions;
  };
}
