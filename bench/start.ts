/** How long the service takes from `node` to its first answer, on data that is there. */
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
