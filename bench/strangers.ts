/**
 * Clients without a key, 64 connections of one address that repeat free requests without a pause: what they cost the gateway, and how
 * much longer lookups of paying clients take meanwhile. Each kind goes on for the whole minute in which free requests are counted.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { BenchCatalogue } from './catalogue.ts';
import { cpuSecondsOf } from './cpu.ts';
import { note } from './figures.ts';
import { lookupsOf } from './lookup-requests.ts';
import { driveOpen } from './open-load.ts';
import { quantile } from './quantile.ts';
import { startOurs } from './servers.ts';

const RATE = 200;
const CONNECTIONS = 32;
const STRANGERS = 64;
const WARM_SECONDS = 10;
const SECONDS = 60;
const KINDS = ['introspection', 'ever new introspections', 'OpenAPI', 'suggestions', 'searches'];
const MOST_OF_A_CORE = 10;

/** Measures the service with its default settings. */
export async function measureStrangers(catalogue: BenchCatalogue, isQuick: boolean): Promise<void> {
  const requests = lookupsOf(catalogue, catalogue.gtins);
  for (const kind of isQuick ? KINDS.slice(0, 1) : KINDS) {
    const { address, pid, stop } = await startOurs('ours', catalogue.url);
    /** The p99 of lookups, and the share of a core that the gateway uses meanwhile. */
    const drive = async (seconds = SECONDS) => {
      const before = cpuSecondsOf(pid) ?? 0;
      const { times } = await driveOpen({ address, rate: RATE, seconds, connections: CONNECTIONS }, requests);
      return { p99: quantile(times, 0.99), share: (((cpuSecondsOf(pid) ?? 0) - before) / seconds) * 100 };
    };
    await drive(WARM_SECONDS);
    const quiet = await drive();
    const words = [join('bench', 'clients', 'strangers.js'), address, kind, String(SECONDS), String(STRANGERS)];
    const [busy] = await Promise.all([drive(), promisify(execFile)(process.execPath, words)]);
    note(`${kind} from strangers: share of a core`, Math.max(0, busy.share - quiet.share), '%', MOST_OF_A_CORE, true);
    note(`${kind} from strangers: p99 of lookups`, busy.p99, 'ms', 2 * quiet.p99 + 10, true);
    await stop();
  }
}
