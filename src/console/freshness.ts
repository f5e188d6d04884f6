/** How long ago feeds of the shops with offers were imported. */
import type { Database } from '../database/database.ts';
import { prismaOf } from '../database/prisma-of.ts';
import { DAY_MS } from '../values/day.ts';

const HOUR_MS = 3_600_000;

/** The ages that shops are counted by, youngest first; the last has no end. */
const AGES = [
  { name: 'in the last hour', withinMs: HOUR_MS },
  { name: 'in the last day', withinMs: DAY_MS },
  { name: 'in the last two days', withinMs: 2 * DAY_MS },
  { name: 'in the last week', withinMs: 7 * DAY_MS },
  { name: 'longer ago', withinMs: Number.POSITIVE_INFINITY },
] as const;

/** The number of shops by age; each shop counts once. */
export async function readFreshness(database: Database, now = Date.now()): Promise<{ name: string; shops: number }[]> {
  const prisma = await prismaOf(database);
  let before: Date | undefined;
  const counts: { name: string; shops: number }[] = [];
  for (const { name, withinMs } of AGES) {
    const since = Number.isFinite(withinMs) ? new Date(now - withinMs) : undefined;
    const observedAt = { ...(since && { gte: since }), ...(before && { lt: before }) };
    counts.push({ name, shops: await prisma.merchant.count({ where: { offerCount: { gt: 0 }, observedAt } }) });
    before = since;
  }
  return counts;
}
