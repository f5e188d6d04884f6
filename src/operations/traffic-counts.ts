/**
 * Counts answers by interface, outcome and duration for the console, where the metrics of a gateway end with its process. Counting is
 * one addition in memory; a gateway adds its counts to the table `traffic_day` once a minute and when it stops.
 */
import type { Queryable } from '../database/database.ts';
import { DAY_MS, dayOf } from '../values/day.ts';
import type { Face } from './endpoint.ts';

/** Durations are counted up to these limits, in milliseconds, and beyond the last. */
export const DURATION_LIMITS_MS = [1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000] as const;

/** How long the counts of a day are kept. */
export const TRAFFIC_DAYS = 90;

/**
 * How answers are counted. `unauthorized`, `quota`, `rate` and `unavailable` are the refusals: 401, 402, 429 and 503. `error` is any other
 * error of the server; `client` is any other error of the client, or a client that left.
 */
export type Outcome = 'served' | 'client' | 'unauthorized' | 'quota' | 'rate' | 'unavailable' | 'error';

const REFUSALS: Readonly<Record<number, Outcome>> = {
  401: 'unauthorized',
  402: 'quota',
  429: 'rate',
  503: 'unavailable',
};

/** The outcome of a status. */
function outcomeOf(status: number): Outcome {
  if (status < 400) return 'served';
  return REFUSALS[status] ?? (status >= 500 ? 'error' : 'client');
}

/** The place of a duration among the counts of its outcome. */
export function bucketOf(milliseconds: number): number {
  let bucket = 0;
  while (bucket < DURATION_LIMITS_MS.length && milliseconds > (DURATION_LIMITS_MS[bucket] as number)) bucket += 1;
  return bucket;
}

/** Answers of one interface with one outcome, by bucket. */
export type Tally = Uint32Array;

export type TrafficCounts = ReturnType<typeof openTrafficCounts>;

/** Opens the counts of a process, from which they are taken to be written. */
export function openTrafficCounts() {
  const tallies = new Map<string, { face: Face; outcome: Outcome; tally: Tally }>();
  return {
    /** The counts of an interface and an outcome, always the same array. The caller adds to it. */
    tallyOf(face: Face, status: number): Tally {
      const outcome = outcomeOf(status);
      const name = `${face} ${outcome}`;
      let counted = tallies.get(name);
      if (!counted) {
        counted = { face, outcome, tally: new Uint32Array(DURATION_LIMITS_MS.length + 1) };
        tallies.set(name, counted);
      }
      return counted.tally;
    },
    /** All counts above zero, which are zero afterwards. */
    take(): TrafficRow[] {
      const rows: TrafficRow[] = [];
      for (const { face, outcome, tally } of tallies.values()) {
        for (const [bucket, count] of tally.entries()) if (count > 0) rows.push({ face, outcome, bucket, count });
        tally.fill(0);
      }
      return rows;
    },
    /** Adds counts again that could not be written. */
    giveBack(rows: readonly TrafficRow[]): void {
      for (const { face, outcome, bucket, count } of rows) {
        const { tally } = tallies.get(`${face} ${outcome}`) ?? {};
        if (tally) tally[bucket] = (tally[bucket] ?? 0) + count;
      }
    },
  };
}

interface TrafficRow {
  face: Face;
  outcome: Outcome;
  bucket: number;
  count: number;
}

const WRITE_EVERY_MS = 60_000;

// Rows are locked in the order of their key, so that two gateways cannot deadlock.
const ADD_TRAFFIC = `
  INSERT INTO traffic_day (day, face, outcome, bucket, count)
  SELECT $1::date, face, outcome, bucket, count
  FROM unnest($2::text[], $3::text[], $4::int[], $5::bigint[]) AS batch (face, outcome, bucket, count)
  ORDER BY face, outcome, bucket
  ON CONFLICT (day, face, outcome, bucket) DO UPDATE SET count = traffic_day.count + excluded.count`;

const FORGET_TRAFFIC = 'DELETE FROM traffic_day WHERE day < $1::date';

/** Starts writing counts. @param onFailure called with the error of a failed write, which the next one makes up for. */
export function startTrafficCounts(
  database: Queryable,
  counts: Pick<TrafficCounts, 'take' | 'giveBack'>,
  onFailure: (error: unknown) => void,
) {
  let forgottenOn: string | undefined;

  const write = async (): Promise<void> => {
    const rows = counts.take();
    if (rows.length === 0) return;
    // Counts of the last minute before midnight belong to the next day.
    const today = dayOf(Date.now());
    try {
      await database.query(
        ADD_TRAFFIC,
        [
          today,
          rows.map(({ face }) => face),
          rows.map(({ outcome }) => outcome),
          rows.map(({ bucket }) => bucket),
          rows.map(({ count }) => count),
        ],
        { name: 'traffic' },
      );
    } catch (error) {
      counts.giveBack(rows);
      onFailure(error);
      return;
    }
    if (forgottenOn === today) return;
    try {
      const first = dayOf(Date.now() - (TRAFFIC_DAYS - 1) * DAY_MS);
      await database.query(FORGET_TRAFFIC, [first], { name: 'traffic', isRepeatable: true });
      forgottenOn = today;
    } catch (error) {
      onFailure(error);
    }
  };

  const timer = setInterval(() => void write(), WRITE_EVERY_MS).unref();
  return {
    /** Writes now. */
    write,
    /** Writes what is left. Call once, before the database closes. */
    async drain(): Promise<void> {
      clearInterval(timer);
      await write();
    },
  };
}
