/** The row of the start: from `node` to the first answer. */
import { cpuSecondsOf } from '../cpu.ts';
import { startOurs } from '../servers.ts';
import { type Order, type Take, turns } from './versions.ts';

/** The name of the row. */
export const START = 'start';
const PAIRS = 2;

/** Measures starts once. */
export async function measureStarts(order: Order, take: Take): Promise<void> {
  for (const version of turns(order, PAIRS)) {
    const { name, catalogue, folder } = version;
    const server = await startOurs(name, catalogue.url, { DRAIN_DELAY_SECONDS: '0' }, folder);
    const cpuSeconds = cpuSecondsOf(server.pid);
    take({ name: START, unit: 'starts/s' }, version, {
      count: 1,
      seconds: server.startMilliseconds / 1_000,
      cpuSeconds,
    });
    await server.stop();
  }
}
