/** Administration of webhooks: for clients, each over the webhooks of its key, and for operators over all. */
import { type PlanId, planOf } from '../access/plans.ts';
import { openRateLimits, type RateLimits } from '../access/rate-limit.ts';
import { invalid } from '../catalogue/arguments.ts';
import { amountIn, type Market } from '../catalogue/market.ts';
import { type Page, type PageArguments, paginate } from '../catalogue/page.ts';
import type { Database } from '../database/database.ts';
import { prismaOf } from '../database/prisma-of.ts';
import { sealFor, WEBHOOK_SECRET } from '../database/sealed-columns.ts';
import { vaultOf } from '../database/vault.ts';
import type { Prisma, WebhookDelivery } from '../generated/prisma/client.ts';
import { Problem } from '../problem.ts';
import { isAsin } from '../values/asin.ts';
import { formatGtin, type Gtin14 } from '../values/gtin.ts';
import { decodeId, encodeId } from '../values/id.ts';
import { messagesLeft } from './budget.ts';
import { checkUrl, type ReceiverRules } from './check-url.ts';
import {
  deleteDeliveries,
  enqueueMessages,
  MOST_REPLAYED,
  MOST_REPLAYED_IDS,
  replayMessages,
} from './delivery-queue.ts';
import { type AskedFilter, readFilter, readKinds } from './filter.ts';
import type { WebhookKind } from './kinds.ts';
import { examplePayload } from './payload.ts';
import { makeSigningSecret } from './sign.ts';
import { CONFIRMED, unconfirmed } from './verify.ts';

/** What a client asks for. */
export interface NewWebhook {
  url: string;
  kinds: readonly WebhookKind[];
  filter?: AskedFilter | null | undefined;
}

/** A change of a webhook; what is absent or null stays. */
export interface WebhookChange {
  url?: string | null | undefined;
  kinds?: readonly WebhookKind[] | null | undefined;
  /** Replaces the whole filter. */
  filter?: AskedFilter | null | undefined;
  enabled?: boolean | null | undefined;
}

/** Past deliveries to send again: exactly one member. */
export interface AskedReplay {
  from?: Date | null | undefined;
  deliveries?: readonly string[] | null | undefined;
}

/** The key that owns a webhook. */
export interface Owner {
  id: bigint;
  plan: PlanId;
}

const WITH_NAMES = {
  product: { select: { slug: true } },
  category: { select: { slug: true } },
  brand: { select: { slug: true } },
  merchant: { select: { slug: true } },
} as const satisfies Prisma.WebhookInclude;

/** A row with the slugs of its filter. */
export type WebhookRow = Prisma.WebhookGetPayload<{ include: typeof WITH_NAMES }>;
export type Delivery = WebhookDelivery;

/** The reason in `disabledReason` if the owner has disabled the webhook. */
export const BY_OWNER = 'Disabled by its owner.';
/** The same for the operator. */
export const BY_OPERATOR = 'Disabled by the operator: ask why.';

/** An arbitrary number; the lock of a key is this and the key's number. */
const LIMIT_LOCK = 4_711;

/** Tells owners how an address is confirmed. */
export const DOCS_OF_CONFIRMING = '/docs/webhooks#confirm-the-address';

/** How often a change begins again because of another one at the same time. */
const MOST_TURNS = 10;

export type Webhooks = ReturnType<typeof openWebhooks>;

export interface WebhooksOptions extends ReceiverRules {
  /** Count the messages of keys, as those who deliver them do. */
  rates?: RateLimits;
  /** Called after messages were added to the queue, or an address is to be confirmed. */
  wake?: () => void;
}

/**
 * Opens the administration. In all functions, `owner` limits them to the webhooks of a key; without it, they see all. A webhook that
 * does not exist, or belongs to another key, is `undefined`.
 */
export function openWebhooks(
  database: Database,
  market: Market,
  { rates = openRateLimits(), wake = () => {}, ...rules }: WebhooksOptions,
) {
  const find = async (owner: Owner | undefined, id: string): Promise<WebhookRow | undefined> => {
    const number = decodeId('webhook', id);
    if (number === undefined) return undefined;
    const prisma = await prismaOf(database);
    const where = { id: number, ...(owner && { keyId: owner.id }) };
    return (await prisma.webhook.findFirst({ where, include: WITH_NAMES })) ?? undefined;
  };

  /** The webhook, to send something to it. @throws {Problem} `webhook_disabled`. */
  const findEnabled = async (owner: Owner | undefined, id: string): Promise<WebhookRow | undefined> => {
    const webhook = await find(owner, id);
    if (!webhook?.disabledAt) return webhook;
    const isUnconfirmed = webhook.verifyAttempts !== null;
    const advice = [
      (!isUnconfirmed || isDisabled(webhook)) &&
        `Enable it first (${owner ? '`enabled: true`' : `\`pda webhooks enable ${id}\``}).`,
      isUnconfirmed &&
        `It is enabled once its receiver has confirmed the address: see ${DOCS_OF_CONFIRMING}${owner ? '' : `, or \`pda webhooks confirm ${id}\``}.`,
    ];
    const why = ['The webhook is disabled, so nothing is sent to it.', webhook.disabledReason, ...advice];
    throw new Problem('webhook_disabled', why.filter(Boolean).join(' '));
  };

  /** How many deliveries a replay may send again. @throws {Problem} `rate_limited` if none. */
  const roomOf = async (owner: Owner | undefined): Promise<number> =>
    owner ? Math.min(await messagesLeft(rates, owner), MOST_REPLAYED) : MOST_REPLAYED;

  return {
    find,

    /** A page of webhooks, oldest first. */
    async list(owner: Owner | undefined, page: PageArguments): Promise<Page<WebhookRow>> {
      const prisma = await prismaOf(database);
      const where = owner ? { keyId: owner.id } : {};
      return pageById(`webhooks ${owner?.id ?? 'all'}`, page, 'asc', (place) =>
        prisma.webhook.findMany({
          where: { ...where, ...place.where },
          orderBy: place.orderBy,
          take: place.take,
          include: WITH_NAMES,
        }),
      );
    },

    /**
     * Creates a webhook with a new secret, whose receiver is then asked to confirm its address.
     * @throws {Problem} `invalid_parameter`; `too_many_webhooks` if the plan of the key allows no more.
     */
    async create(owner: Owner, { url, kinds: asked, filter }: NewWebhook): Promise<WebhookRow> {
      const prisma = await prismaOf(database);
      const kinds = readKinds(asked);
      const conditions = await readFilter(kinds, filter ?? {}, market, prisma);
      const checked = await checkUrl(url, rules);
      const most = planOf(owner.plan).webhooks;
      const secret = makeSigningSecret();
      const created = await prisma.$transaction(async (transaction) => {
        await lockLimit(transaction, owner.id);
        const count = await transaction.webhook.count({ where: { keyId: owner.id } });
        if (count >= most) throw tooMany(owner.plan, most);
        const [{ id } = { id: 0n }] = await transaction.$queryRaw<
          { id: bigint }[]
        >`SELECT nextval('webhook_id_seq') AS id`;
        const sealed = sealFor(vaultOf(database), WEBHOOK_SECRET, id, secret);
        const data = { id, keyId: owner.id, url: checked, secret: sealed, kinds, ...conditions, ...unconfirmed() };
        return transaction.webhook.create({ data, include: WITH_NAMES });
      });
      wake();
      return { ...created, secret };
    },

    /** Changes a webhook. Enabling it forgets its failures, or asks the receiver again to confirm its address. @throws {Problem} `invalid_parameter`. */
    async update(owner: Owner | undefined, id: string, change: WebhookChange): Promise<WebhookRow | undefined> {
      const { url: askedUrl, kinds: asked, filter, enabled } = change;
      const prisma = await prismaOf(database);
      let checkedUrl: string | undefined;
      for (let turn = 0; turn < MOST_TURNS; turn += 1) {
        const webhook = await find(owner, id);
        if (!webhook) return undefined;
        const kinds = asked == null ? webhook.kinds : readKinds(asked);
        const conditions =
          asked == null && filter == null
            ? {}
            : await readFilter(kinds, filter ?? askedFilterOf(webhook, market), market, prisma);
        if (askedUrl != null) checkedUrl ??= await checkUrl(askedUrl, rules);
        const url = checkedUrl ?? webhook.url;
        const hasMoved = url !== webhook.url;
        const isConfirmed = webhook.verifyAttempts === null && !hasMoved;
        const isStopped = enabled === false || (enabled == null && isDisabled(webhook));
        const disabledReason = owner ? BY_OWNER : BY_OPERATOR;
        const disabled = { disabledAt: webhook.disabledAt ?? new Date(), disabledReason };
        const data = {
          url,
          ...(asked != null && { kinds }),
          ...(filter != null && conditions),
          ...(!isStopped && hasMoved && unconfirmed()),
          ...(isStopped && hasMoved && { verifyAttempts: 0 }),
          ...(enabled === true && (isConfirmed ? CONFIRMED : unconfirmed())),
          ...(enabled === false && !isDisabled(webhook) && { ...disabled, verifyAt: null }),
        };
        // Only if the address and its confirmation are as they were read: a check of an address can take long.
        const { url: readUrl, verifyAttempts, disabledReason: readReason } = webhook;
        const where = { id: webhook.id, url: readUrl, verifyAttempts, disabledReason: readReason };
        const { count } = await prisma.webhook.updateMany({ where, data });
        if (count === 0) continue;
        if (enabled === true || hasMoved) wake();
        return find(owner, id);
      }
      throw new Problem('unavailable', 'Others were changing the webhook at the same time: try again.', {
        headers: { 'Retry-After': '1' },
      });
    },

    /** Confirms the address of a webhook by hand, for a receiver that cannot, and enables the webhook. */
    async confirm(id: string): Promise<WebhookRow | undefined> {
      const webhook = await find(undefined, id);
      if (!webhook) return undefined;
      const prisma = await prismaOf(database);
      await prisma.webhook.updateMany({ where: { id: webhook.id, url: webhook.url }, data: CONFIRMED });
      return find(undefined, id);
    },

    /** Deletes a webhook with its deliveries. @returns its id. */
    async remove(owner: Owner | undefined, id: string): Promise<string | undefined> {
      const webhook = await find(owner, id);
      if (!webhook) return undefined;
      const prisma = await prismaOf(database);
      // It may have millions of deliveries, which one statement could not delete in time. No message is made or sent meanwhile.
      const disabledReason = webhook.disabledReason ?? (owner ? BY_OWNER : BY_OPERATOR);
      await prisma.webhook.updateMany({
        where: { id: webhook.id },
        // Nor may a confirmation that is due enable it.
        data: { disabledAt: webhook.disabledAt ?? new Date(), disabledReason, verifyAt: null },
      });
      await deleteDeliveries(database, webhook.id);
      await prisma.webhook.deleteMany({ where: { id: webhook.id } });
      return encodeId('webhook', webhook.id);
    },

    /** A page of the deliveries of a webhook, newest first. */
    async deliveries(webhookId: bigint, page: PageArguments): Promise<Page<Delivery>> {
      const prisma = await prismaOf(database);
      return pageById(`deliveries ${webhookId}`, page, 'desc', (place) =>
        prisma.webhookDelivery.findMany({
          where: { webhookId, ...place.where },
          orderBy: place.orderBy,
          take: place.take,
        }),
      );
    },

    /** Sends an example of the first kind, with `test: true`. @returns its delivery. @throws {Problem} `webhook_disabled`, `rate_limited`. */
    async test(owner: Owner | undefined, id: string): Promise<Delivery | undefined> {
      const webhook = await findEnabled(owner, id);
      const [kind] = webhook?.kinds ?? [];
      if (!webhook || !kind) return undefined;
      await roomOf(owner);
      const webhookId = encodeId('webhook', webhook.id);
      const payload = examplePayload(kind, market, { webhookId, at: new Date().toISOString() });
      const message = {
        webhookId: webhook.id,
        kind,
        productId: null,
        seq: null,
        payload: { ...payload, data: { ...payload.data, test: true as const } },
      };
      const [number] = await enqueueMessages(database, [message]);
      if (number === undefined) return undefined; // Deleted meanwhile.
      wake();
      const prisma = await prismaOf(database);
      return (await prisma.webhookDelivery.findUnique({ where: { id: number } })) ?? undefined;
    },

    /**
     * Sends past deliveries again, with the same message ids, as many as the key may have sent in this minute. Those that still wait are
     * left alone, and tests that are not named.
     * @returns their number, and what there was no room for.
     * @throws {Problem} `invalid_parameter`, `webhook_disabled`, `rate_limited`.
     */
    async replay(owner: Owner | undefined, id: string, asked: AskedReplay) {
      const replayed = readReplay(asked);
      const webhook = await findEnabled(owner, id);
      if (!webhook) return undefined;
      const result = await replayMessages(database, webhook.id, replayed, await roomOf(owner));
      wake();
      return result;
    },
  };
}

/** Whether nothing is sent for another reason than that the address is not confirmed yet. */
const isDisabled = ({ disabledAt, disabledReason, verifyAttempts }: WebhookRow): boolean =>
  disabledAt !== null && (verifyAttempts === null || disabledReason === BY_OWNER || disabledReason === BY_OPERATOR);

/** Makes transactions of a key wait for each other, so that of two requests at once the second one counts the webhook of the first. */
async function lockLimit(transaction: Prisma.TransactionClient, keyId: bigint): Promise<void> {
  await transaction.$queryRaw`SELECT pg_advisory_xact_lock(${LIMIT_LOCK}::int, hashint8(${keyId}::bigint))::text`;
}

function tooMany(plan: PlanId, most: number): Problem {
  const what = `The key has ${most} webhook${most === 1 ? '' : 's'}, as many as the ${planOf(plan).name} plan allows`;
  return new Problem('too_many_webhooks', `${what}: delete one, or move to a higher plan (see /api/v1/plans).`);
}

function readReplay({ from, deliveries }: AskedReplay) {
  if ((from == null) === (deliveries == null)) {
    throw invalid('from', 'Send exactly one of `from` (a time) and `deliveries` (ids of deliveries).');
  }
  if (from != null) return { from };
  if (deliveries == null || deliveries.length === 0 || deliveries.length > MOST_REPLAYED_IDS) {
    throw invalid(
      'deliveries',
      `\`deliveries\` must have 1 to ${MOST_REPLAYED_IDS} ids; use \`from\` for up to ${MOST_REPLAYED} deliveries.`,
    );
  }
  return {
    ids: deliveries.map((text, index) => {
      const number = decodeId('delivery', text);
      if (number !== undefined) return number;
      throw invalid(`deliveries[${index}]`, 'This is no id of a delivery: get ids from the list of deliveries.');
    }),
  };
}

/** A webhook's filter as a client would send it. */
export function askedFilterOf(row: WebhookRow, market: Market): Required<AskedFilter> {
  const { product, category, brand, merchant, minPercent, below, codes } = row;
  return {
    product: product?.slug,
    category: category?.slug,
    brand: brand?.slug,
    merchant: merchant?.slug,
    minPercent: minPercent === null ? null : minPercent / 100,
    below: below === null ? null : amountIn(market, below),
    codes: codes.length === 0 ? null : codes.map((code) => (isAsin(code) ? code : formatGtin(code as Gtin14))),
  };
}

/** A part of a list in the order of numbers, as Prisma Client takes it. */
interface NumberedPlace {
  where: { id?: { gt?: bigint; lt?: bigint } };
  orderBy: { id: 'asc' | 'desc' };
  take: number;
}

/** A page of a list in the order of numbers. */
function pageById<Row extends { id: bigint }>(
  list: string,
  page: PageArguments,
  order: 'asc' | 'desc',
  read: (place: NumberedPlace) => Promise<Row[]>,
): Promise<Page<Row>> {
  return paginate<Row>(
    list,
    ['bigint'],
    page,
    ({ id }) => [String(id)],
    ({ isBackward, after, before }, take) => {
      const [beyond, short] = order === 'asc' ? (['gt', 'lt'] as const) : (['lt', 'gt'] as const);
      const id = {
        ...(after && { [beyond]: BigInt(after[0] ?? 0) }),
        ...(before && { [short]: BigInt(before[0] ?? 0) }),
      };
      const direction = isBackward ? (order === 'asc' ? 'desc' : 'asc') : order;
      return read({ where: { id }, orderBy: { id: direction }, take });
    },
    // No list shows its length.
    () => Promise.resolve({ count: 0, isExact: false }),
  );
}
