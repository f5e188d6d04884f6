/** Whether an event meets the conditions of a webhook. Pure. */
import type { Filter } from '../filter.ts';
import type { WebhookKind } from '../kinds.ts';
import type { WebhookEvent } from './events.ts';

/** A webhook that may want an event. */
export interface Watching extends Omit<Filter, 'codes'> {
  id: bigint;
  kinds: readonly WebhookKind[];
  /** Those of its codes that the events have. */
  codes: readonly string[];
  createdAt: Date;
}

/** The groups of a product now. */
export interface Groups {
  brandId: bigint | null;
  /** Its category and all above. */
  categoryIds: readonly bigint[];
}

/**
 * Indexes webhooks by what selects most in their filters. A step has a thousand events and may concern thousands of webhooks, so not every
 * pair is looked at.
 * @returns finds the webhooks that may want an event of a product with these groups.
 */
export function indexWatching(webhooks: readonly Watching[]) {
  const index = new Map<string, Watching[]>();
  for (const webhook of webhooks) {
    for (const name of namesOf(webhook)) index.set(name, [...(index.get(name) ?? []), webhook]);
  }
  return ({ productId, merchantId, code }: WebhookEvent, groups: Groups | undefined): Watching[] => {
    if (code !== undefined) return index.get(`code ${code}`) ?? [];
    const names = [
      `product ${productId}`,
      `brand ${groups?.brandId}`,
      ...(groups?.categoryIds.map((id) => `category ${id}`) ?? []),
      `merchant ${merchantId}`,
    ];
    return names.flatMap((name) => index.get(name) ?? []);
  };
}

/** The names under which a webhook is indexed: one for its scope, and one for each of its codes. */
function namesOf({ productId, brandId, categoryId, merchantId, codes }: Watching): string[] {
  const names = codes.map((code) => `code ${code}`);
  if (productId !== null) names.push(`product ${productId}`);
  else if (brandId !== null) names.push(`brand ${brandId}`);
  else if (categoryId !== null) names.push(`category ${categoryId}`);
  else if (merchantId !== null) names.push(`merchant ${merchantId}`);
  return names;
}

/** The kinds of messages that a webhook gets for an event. @param groups those of the event's product; `undefined` if it is gone. */
export function kindsFor(webhook: Watching, event: WebhookEvent, groups: Groups | undefined): WebhookKind[] {
  if (event.row.at < webhook.createdAt) return [];
  return event.kinds.filter((kind) => webhook.kinds.includes(kind) && meets(webhook, kind, event, groups));
}

function meets(webhook: Watching, kind: WebhookKind, event: WebhookEvent, groups: Groups | undefined): boolean {
  if (kind === 'product_found') return event.code !== undefined && webhook.codes.includes(event.code);
  if (!isInScope(webhook, event, groups)) return false;
  const { before = null, after = null } = event.lowest ?? {};
  if (kind === 'price_changed') return webhook.minPercent === null || percentOf(before, after) >= webhook.minPercent;
  if (kind !== 'price_below') return true;
  const { below } = webhook;
  return below !== null && after !== null && after <= below && (before === null || before > below);
}

function isInScope(webhook: Watching, { productId, merchantId }: WebhookEvent, groups: Groups | undefined): boolean {
  const { productId: product, brandId: brand, categoryId: category, merchantId: merchant } = webhook;
  // A webhook for found products may have no scope.
  if (product === null && brand === null && category === null && merchant === null) return false;
  return (
    (product === null || product === productId) &&
    (brand === null || brand === groups?.brandId) &&
    (category === null || groups?.categoryIds.includes(category) === true) &&
    (merchant === null || merchant === merchantId)
  );
}

/** The change in hundredths of a percent of the price before. */
function percentOf(before: bigint | null, after: bigint | null): number {
  if (before === null || after === null) return 0;
  const difference = after > before ? after - before : before - after;
  return before === 0n ? Number.POSITIVE_INFINITY : Number((difference * 10_000n) / before);
}
