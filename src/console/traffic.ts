/** Reads the counts of answers of the last days, as the overview shows them. */
import type { Database } from '../database/database.ts';
import { prismaOf } from '../database/prisma-of.ts';
import type { Face } from '../operations/endpoint.ts';
import { DURATION_LIMITS_MS, type Outcome } from '../operations/traffic-counts.ts';
import { DAY_MS, dayOf, startOfDay } from '../values/day.ts';

/** The interfaces for clients. Health checks and requests refused under overload belong to none. */
export const FACES = ['rest', 'graphql', 'mcp', 'page'] as const satisfies readonly Face[];

/** The answers of some days. */
export interface Traffic {
  /** The oldest first; the last is today in UTC. */
  days: readonly string[];
  /** All answers of an interface by day. */
  requests(face: Face): number[];
  /** The answers of all interfaces with an outcome by day. */
  outcomes(outcome: Outcome): number[];
  /** The duration in milliseconds within which a share of a day's requests to the APIs was served; null without any. */
  durations(share: number): (number | null)[];
  /** The figures of an interface for all days together. */
  totals(face: Face): { requests: number; errors: number; p50: number | null; p99: number | null };
}

interface Row {
  day: string;
  face: string;
  outcome: string;
  bucket: number;
  count: number;
}

/** Reads the last days, today included. */
export async function readTraffic(database: Database, count = 30, now = Date.now()): Promise<Traffic> {
  const days = Array.from({ length: count }, (_, index) => dayOf(now - (count - 1 - index) * DAY_MS));
  const prisma = await prismaOf(database);
  const found = await prisma.trafficDay.findMany({
    where: { day: { gte: new Date(startOfDay(days[0] as string)) } },
  });
  const rows = found.map((row) => ({ ...row, day: dayOf(row.day.getTime()), count: Number(row.count) }));
  return trafficOf(days, rows);
}

function trafficOf(days: readonly string[], rows: readonly Row[]): Traffic {
  const sum = (those: readonly Row[]) => those.reduce((total, { count }) => total + count, 0);
  const byDay = (isMeant: (row: Row) => boolean) => {
    const counts = new Map<string, number>();
    for (const row of rows) if (isMeant(row)) counts.set(row.day, (counts.get(row.day) ?? 0) + row.count);
    return days.map((day) => counts.get(day) ?? 0);
  };
  const isServed = ({ outcome, face }: Row) => outcome === 'served' && face !== 'page' && face !== 'other';
  return {
    days,
    requests: (face) => byDay((row) => row.face === face),
    outcomes: (outcome) => byDay((row) => row.outcome === outcome),
    durations: (share) =>
      days.map((day) =>
        durationOf(
          share,
          rows.filter((row) => row.day === day && isServed(row)),
        ),
      ),
    totals(face) {
      const own = rows.filter((row) => row.face === face);
      const served = own.filter(({ outcome }) => outcome === 'served');
      return {
        requests: sum(own),
        errors: sum(own.filter(({ outcome }) => outcome === 'error')),
        p50: durationOf(0.5, served),
        p99: durationOf(0.99, served),
      };
    },
  };
}

/** The duration within which a share was served, estimated between the limits of its bucket as Prometheus does; null without any. */
function durationOf(share: number, rows: readonly Pick<Row, 'bucket' | 'count'>[]): number | null {
  const counts = new Array<number>(DURATION_LIMITS_MS.length + 1).fill(0);
  for (const { bucket, count } of rows) counts[bucket] = (counts[bucket] ?? 0) + count;
  const all = counts.reduce((total, count) => total + count, 0);
  if (all === 0) return null;
  let before = 0;
  for (const [bucket, limit] of DURATION_LIMITS_MS.entries()) {
    const inside = counts[bucket] as number;
    if (inside > 0 && before + inside >= share * all) {
      const from = bucket === 0 ? 0 : (DURATION_LIMITS_MS[bucket - 1] as number);
      return from + (limit - from) * ((share * all - before) / inside);
    }
    before += inside;
  }
  return DURATION_LIMITS_MS[DURATION_LIMITS_MS.length - 1] as number;
}
