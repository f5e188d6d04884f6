/** The time from starting `node` to the first answer of the service, on an existing database. */
import type { BenchCatalogue } from './catalogue.ts';
import { note } from './figures.ts';
import { median } from './quantile.ts';
import { startOurs } from './servers.ts';

export async function measureStart({ url }: BenchCatalogue, rounds: number): Promise<void> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const server = await startOurs('ours', url);
    times.push(server.startMilliseconds);
    await server.stop();
  }
  note('from node to the first answer, on PostgreSQL, median', median(times), 'ms');
}
