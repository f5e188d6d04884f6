/** One page of metrics for all processes of an instance. */
import { AggregatorRegistry, Registry } from 'prom-client';
import { openProcessMetrics } from '../operations/process-metrics.ts';
import type { MetricsOfProcess } from './messages.ts';

// A worker that does not answer is counted with its last figures, because the page must show the others.
const PATIENCE_MS = 1_500;

/** The figures of a worker. */
export type Gathered = ReturnType<typeof gatherFrom>;

/** Gathers the figures of a worker. @param ask requests new ones. */
export function gatherFrom(ask: () => void) {
  let figures: MetricsOfProcess = [];
  let refreshing: Promise<void> | undefined;
  let hear = () => {};
  return {
    /** The last known figures. */
    figures: () => figures,
    /** Settles when the figures are new, or when the worker has not answered in time. */
    refresh(): Promise<void> {
      refreshing ??= new Promise<void>((resolve) => {
        hear = resolve;
        setTimeout(resolve, PATIENCE_MS).unref();
        ask();
      }).finally(() => {
        refreshing = undefined;
      });
      return refreshing;
    },
    /** Takes the answer of the worker. */
    hear(answered: MetricsOfProcess): void {
      figures = answered;
      hear();
    },
  };
}

/** Opens the page. @param workers the running workers. */
export function openGatheredMetrics(workers: () => Iterable<Gathered>) {
  const own = new Registry();
  const { workerExits } = openProcessMetrics(own);
  let retired: MetricsOfProcess = [];
  let retiring = Promise.resolve();

  return {
    workerExits,
    contentType: own.contentType,
    /** The page's text: sums, or the lowest or highest value where a sum would mean nothing. */
    async metrics(): Promise<string> {
      const running = [...workers()];
      await Promise.all(running.map(({ refresh }) => refresh()));
      const ours = await own.getMetricsAsJSON();
      const all = [ours, retired, ...running.map(({ figures }) => figures())];
      return AggregatorRegistry.aggregate(all as object[]).metrics();
    },
    /** Keeps the last known counts of a worker that has ended, since a sum that falls would look like a restart of the instance. */
    retire({ figures }: Gathered): Promise<void> {
      const counts = figures().filter(({ type, aggregator }) => isCount(String(type)) && aggregator === 'sum');
      retiring = retiring.then(async () => {
        retired = await AggregatorRegistry.aggregate([retired, counts] as object[]).getMetricsAsJSON();
      });
      return retiring;
    },
  };
}

const isCount = (type: string) => type === 'counter' || type === 'histogram';
