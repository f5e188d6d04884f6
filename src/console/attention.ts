/** What needs an operator's attention: feeds, shops, webhooks and keys, each with the pages and commands that help. */
import type { Database } from '../database/database.ts';
import { prismaOf } from '../database/prisma-of.ts';
import { OVERDUE_MINUTES, overdueBefore } from '../feeds/overdue.ts';
import type { PrismaClient } from '../generated/prisma/client.ts';
import { counted } from '../values/counted.ts';
import { DAY_MS } from '../values/day.ts';
import { encodeId } from '../values/id.ts';
import { readFullKeys } from './full-keys.ts';

/** One thing to look at. */
export interface Concern {
  /** What it is about: the shop, or the id of a key or webhook. */
  subject: string;
  /** What is wrong, without a period. */
  text: string;
  /** The page of the console that shows it. */
  path: string;
  /** Whether something does not work now; otherwise it will soon. */
  isBroken: boolean;
}

/** Things of one kind. */
export interface Concerns {
  concerns: readonly Concern[];
  /** Whether there are more of this kind than are listed. */
  hasMore: boolean;
}

/** The most things of a kind that are listed. */
export const MOST_CONCERNS = 10;
/** A shop that no feed has confirmed for so many days is old. */
const STALE_DAYS = 2;
const EXPIRY_DAYS = 14;
const FULL_SHARE = 0.9;

/** Reads all kinds at once, the most urgent first. */
export async function readConcerns(database: Database, now = Date.now()): Promise<Concerns[]> {
  const prisma = await prismaOf(database);
  const found = await Promise.all([
    guardedFeeds(prisma, now),
    failingFeeds(prisma, now),
    overdueFeeds(prisma, now),
    failedImports(prisma, now),
    oldShops(prisma, now),
    failingWebhooks(prisma, now),
    fullKeys(database, now),
    expiringKeys(prisma, now),
  ]);
  return found
    .filter(({ length }) => length > 0)
    .map((concerns) => ({ concerns: concerns.slice(0, MOST_CONCERNS), hasMore: concerns.length > MOST_CONCERNS }));
}

type Read = (prisma: PrismaClient, now: number) => Promise<Concern[]>;

const take = MOST_CONCERNS + 1;

const feedPath = (id: bigint) => `/console/feeds/${encodeId('feed', id)}`;

const guardedFeeds: Read = async (prisma) => {
  const feeds = await prisma.feed.findMany({
    where: { needsConfirmationAt: { not: null }, confirmedAt: null },
    select: { id: true, merchant: true },
    orderBy: { needsConfirmationAt: 'asc' },
    take,
  });
  return feeds.map(({ id, merchant }) => ({
    subject: merchant,
    text: 'The feed would withdraw more than half of the offers, so it waits for you to confirm it',
    path: feedPath(id),
    isBroken: true,
  }));
};

const failingFeeds: Read = async (prisma) => {
  const feeds = await prisma.feed.findMany({
    where: { failures: { gt: 0 }, needsConfirmationAt: null, pausedAt: null },
    select: { id: true, merchant: true, failures: true },
    orderBy: [{ failures: 'desc' }, { id: 'asc' }],
    take,
  });
  return feeds.map(({ id, merchant, failures }) => ({
    subject: merchant,
    text: `The last ${failures === 1 ? 'run' : `${failures} runs`} of the feed failed`,
    path: feedPath(id),
    isBroken: true,
  }));
};

const overdueFeeds: Read = async (prisma, now) => {
  const feeds = await prisma.feed.findMany({
    where: {
      pausedAt: null,
      nextRunAt: { lt: overdueBefore(now) },
      OR: [{ leasedUntil: null }, { leasedUntil: { lt: new Date(now) } }],
    },
    select: { id: true, merchant: true },
    orderBy: [{ nextRunAt: 'asc' }, { id: 'asc' }],
    take,
  });
  return feeds.map(({ id, merchant }) => ({
    subject: merchant,
    text: `The feed has been due for more than ${OVERDUE_MINUTES} minutes, and no server has pulled it`,
    path: feedPath(id),
    isBroken: true,
  }));
};

/** Imports that failed lately, and after which none succeeded, of shops without a scheduled feed. Feeds are a kind of their own. */
const failedImports: Read = async (prisma, now) => {
  const failures = await prisma.importFailure.findMany({
    where: { finishedAt: { gte: new Date(now - DAY_MS) } },
    distinct: ['merchant'],
    orderBy: { id: 'desc' },
    take,
  });
  const shops = await prisma.merchant.findMany({
    where: { name: { in: failures.map(({ merchant }) => merchant) } },
    select: { name: true, importRuns: { select: { finishedAt: true }, orderBy: { id: 'desc' }, take: 1 } },
  });
  const scheduled = await prisma.feed.findMany({
    where: { merchant: { in: failures.map(({ merchant }) => merchant) } },
    select: { merchant: true },
    distinct: ['merchant'],
  });
  const hasFeed = new Set(scheduled.map(({ merchant }) => merchant));
  const succeededAt = new Map(shops.map(({ name, importRuns }) => [name, importRuns[0]?.finishedAt?.getTime() ?? 0]));
  return failures
    .filter(
      ({ merchant, finishedAt }) => !hasFeed.has(merchant) && (succeededAt.get(merchant) ?? 0) < finishedAt.getTime(),
    )
    .map(({ merchant, reason }) => ({
      subject: merchant,
      text: `The last import failed: ${reason}`,
      path: '/console/feeds',
      isBroken: true,
    }));
};

const oldShops: Read = async (prisma, now) => {
  const shops = await prisma.merchant.findMany({
    where: { offerCount: { gt: 0 }, observedAt: { lt: new Date(now - STALE_DAYS * DAY_MS) } },
    select: { name: true, observedAt: true },
    orderBy: [{ observedAt: 'asc' }, { id: 'asc' }],
    take,
  });
  return shops.map(({ name, observedAt }) => ({
    subject: name,
    text: `No feed has been imported for ${counted(Math.floor((now - (observedAt?.getTime() ?? now)) / DAY_MS), 'day')}`,
    path: '/console/feeds',
    isBroken: false,
  }));
};

const failingWebhooks: Read = async (prisma) => {
  const webhooks = await prisma.webhook.findMany({
    where: { verifyAttempts: null, OR: [{ disabledAt: { not: null } }, { failingSince: { not: null } }] },
    select: { id: true, keyId: true, disabledReason: true },
    orderBy: [{ disabledAt: { sort: 'desc', nulls: 'last' } }, { id: 'asc' }],
    take,
  });
  return webhooks.map(({ id, keyId, disabledReason }) => ({
    subject: encodeId('webhook', id),
    text: disabledReason === null ? 'Deliveries of the webhook fail' : `The webhook is disabled: ${disabledReason}`,
    path: `/console/keys/${encodeId('key', keyId)}`,
    isBroken: disabledReason !== null,
  }));
};

async function fullKeys(database: Database, now: number): Promise<Concern[]> {
  const keys = await readFullKeys(database, { share: FULL_SHARE, most: take, now });
  return keys.map(({ id, name, used, quota }) => ({
    subject: name,
    text:
      used >= quota
        ? 'The key has used its whole quota of this month'
        : `The key has used ${Math.floor((used / quota) * 100)} % of its quota of this month`,
    path: `/console/keys/${encodeId('key', id)}`,
    isBroken: used >= quota,
  }));
}

const expiringKeys: Read = async (prisma, now) => {
  const keys = await prisma.apiKey.findMany({
    where: { revokedAt: null, expiresAt: { gt: new Date(now), lt: new Date(now + EXPIRY_DAYS * DAY_MS) } },
    select: { id: true, name: true, expiresAt: true },
    orderBy: [{ expiresAt: 'asc' }, { id: 'asc' }],
    take,
  });
  return keys.map(({ id, name, expiresAt }) => ({
    subject: name,
    text: `The key expires in ${counted(Math.ceil(((expiresAt?.getTime() ?? now) - now) / DAY_MS), 'day')}`,
    path: `/console/keys/${encodeId('key', id)}`,
    isBroken: false,
  }));
};
