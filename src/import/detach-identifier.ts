/**
 * Takes an identifier off its product, or voids one shop's claim to it, on an operator's word. Offers that stood at the product only
 * by it go where they belong; what was recorded of their prices stays at the product where it was recorded. The detachment is
 * remembered, so that the next import of the same feed does not undo it.
 */
import { recordAudit } from '../access/audit.ts';
import type { Database, Queryable } from '../database/database.ts';
import { encodeId } from '../values/id.ts';
import { raiseVersion, refreshMoved } from './figures.ts';
import { MOST_IDENTIFIERS } from './identifier-limit.ts';
import { type IdentifierName, IdentifierNotFound, inWords, requireProduct, shown } from './identifier-name.ts';
import { CREATE_MOVED, MOVED_AT, moveOffers } from './move-offers.ts';
import { makeOwnProduct } from './own-product.ts';
import { lockForWriting } from './write-lock.ts';

export interface DetachRequest {
  identifier: IdentifierName;
  /** The name of the shop whose claim is void; without it the identifier is taken off for all shops. */
  merchant?: string | undefined;
  /** A GTIN, ASIN, slug or id of the product that the identifier, or the shop's offers, belong to. */
  to?: string | undefined;
  /** Goes all the way and takes everything back. */
  isDryRun?: boolean;
}

export interface DetachReport {
  kind: 'gtin' | 'asin';
  value: string;
  /** The slug of the product that had it; absent where none did. */
  from?: string;
  /** The shop whose claim is void. */
  merchant?: string;
  /** Whether the product has lost the identifier: always without a shop, else where no other shop claims it. */
  isTakenOff: boolean;
  /** The slug of the product that has the identifier now; absent where none does. */
  to?: string;
  /**
   * The offers that were moved, each with the slug of its new product; without one where the offer was withdrawn, because its shop
   * lists the most offers there that it may.
   */
  offers: { id: string; merchant: string; to?: string }[];
}

/** The detachment makes no sense as it is asked for; the message says what to do instead. */
export class DetachRefused extends Error {
  override name = 'DetachRefused';
}

class DryRun extends Error {}

/**
 * Detaches an identifier, in one transaction under the importer's lock.
 *
 * @throws {IdentifierNotFound} when no product has it, or the shop does not claim it, or there is no such shop or product.
 * @throws {DetachRefused} when it is to go to the product that has it, or to one that has no room for it.
 */
export async function detachIdentifier(database: Database, request: DetachRequest): Promise<DetachReport> {
  let report: DetachReport | undefined;
  try {
    await database.transaction(async (transaction) => {
      await lockForWriting(transaction);
      report = await detach(transaction, request);
      if (request.isDryRun) throw new DryRun();
    });
  } catch (error) {
    if (!(error instanceof DryRun)) throw error;
  }
  if (!report) throw new Error('The transaction has ended without a report.');
  // A new product's words are only gathered at first, and every search would read them whole.
  if (!request.isDryRun && report.offers.length > 0) await database.query('SELECT clean_search_index()');
  return report;
}

async function detach(transaction: Queryable, { identifier, merchant, to }: DetachRequest): Promise<DetachReport> {
  const { kind, value } = identifier;
  const bound = await findBinding(transaction, identifier);
  const shop = merchant === undefined ? undefined : await requireShop(transaction, merchant);
  if (!bound && !shop) throw new IdentifierNotFound(`No product has ${inWords(identifier)}.`);
  const target = to === undefined ? undefined : await requireProduct(transaction, to);
  if (target && target.id === bound?.productId) {
    throw new DetachRefused(`${target.slug} has ${inWords(identifier)} already: name another product with --to.`);
  }
  if (shop) await voidClaim(transaction, identifier, shop);
  else if (bound) await bar(transaction, identifier, bound.productId, target?.id);

  const affected = bound ? await findAffected(transaction, identifier, bound.productId, shop?.id) : [];
  const isTakenOff = bound !== undefined && (!shop || !(await hasOtherClaim(transaction, identifier, bound, shop.id)));
  let home: Home | undefined;
  if (bound && isTakenOff) {
    await transaction.query('DELETE FROM product_identifier WHERE kind::text = $1 AND value = $2', [kind, value]);
    home = shop
      ? await findHome(transaction, identifier, bound.productId, [], shop.id)
      : (target ?? (await findHome(transaction, identifier, bound.productId, affected)));
    if (home) await bind(transaction, identifier, home.id, null);
  }

  await transaction.script(CREATE_MOVED);
  const own = new Map<string, Home>();
  const places: { id: bigint; merchant: string; to: string }[] = [];
  for (const offer of affected) {
    let place: Home | undefined = offer.other ?? (shop ? target : home);
    if (!place) {
      // Without a shop all these offers state the identifier, so they are one product's; a void claim joins nothing.
      const key = shop ? (offer.otherValue ?? `offer ${offer.id}`) : 'home';
      place = own.get(key) ?? (await makeOwnProduct(transaction, { name: offer.name, merchantId: offer.merchantId }));
      own.set(key, place);
      if (!shop) {
        await bind(transaction, identifier, place.id, offer.merchantId);
        home ??= place;
      }
    }
    if (offer.otherValue !== null && !offer.other) {
      const other = { kind: otherKind(kind), value: offer.otherValue };
      await bind(transaction, other, place.id, offer.merchantId);
    }
    await transaction.query(ADD_MOVED, [offer.id, place.id]);
    places.push({ id: offer.id, merchant: offer.merchant, to: place.slug });
  }
  const withdrawn = new Set<bigint>();
  if (places.length > 0) {
    await moveOffers(transaction);
    const surplus = await transaction.query<{ offer_id: bigint }>('SELECT offer_id FROM moved WHERE total IS NULL');
    for (const { offer_id: id } of surplus) withdrawn.add(id);
    const [moved] = await transaction.query<{ at: Date }>('SELECT max(at) AS at FROM moved');
    await refreshMoved(transaction, moved?.at ?? new Date());
  } else await raiseVersion(transaction);

  const offers = places.map(({ id, merchant: shopName, to: slug }) => ({
    id: encodeId('offer', id),
    merchant: shopName,
    ...(!withdrawn.has(id) && { to: slug }),
  }));
  const report: DetachReport = {
    kind,
    value: shown(identifier),
    ...(bound && { from: bound.slug }),
    ...(shop && { merchant: shop.name }),
    isTakenOff,
    ...(home && { to: home.slug }),
    offers,
  };
  await recordAudit(transaction, {
    action: 'identifier.detach',
    before: {
      [kind]: report.value,
      ...(bound && { product: bound.slug }),
      ...(shop && { merchant: shop.name }),
    },
    after: { isTakenOff, ...(home && { product: home.slug }), offers: offers.length },
  });
  return report;
}

/**
 * Forgets what was detached of an identifier: the next imports decide again where it belongs. Nothing is moved.
 *
 * @param merchant the shop whose claim counts again; without it, all that was detached.
 * @returns how many detachments were forgotten.
 * @throws {IdentifierNotFound} when nothing was detached.
 */
export async function allowIdentifier(
  database: Database,
  identifier: IdentifierName,
  merchant: string | undefined,
): Promise<number> {
  return database.transaction(async (transaction) => {
    await lockForWriting(transaction);
    const shop = merchant === undefined ? undefined : await requireShop(transaction, merchant);
    const rows = await transaction.query(
      `DELETE FROM identifier_detachment
       WHERE kind::text = $1 AND value = $2 AND ($3::bigint IS NULL OR merchant_id = $3::bigint)
       RETURNING id`,
      [identifier.kind, identifier.value, shop?.id ?? null],
    );
    if (rows.length === 0) {
      throw new IdentifierNotFound(
        `Nothing is detached of ${inWords(identifier)}${shop ? ` for ${shop.name}` : ''}: imports decide already.`,
      );
    }
    await recordAudit(transaction, {
      action: 'identifier.allow',
      after: { [identifier.kind]: shown(identifier), ...(shop && { merchant: shop.name }), forgotten: rows.length },
    });
    return rows.length;
  });
}

interface Home {
  id: bigint;
  slug: string;
}

interface Binding {
  productId: bigint;
  slug: string;
  /** The shop that bound it; null where an operator did, or where that was not recorded. */
  merchantId: bigint | null;
  claimedAt: Date | null;
}

interface Shop {
  id: bigint;
  name: string;
}

interface AffectedOffer {
  id: bigint;
  merchantId: bigint;
  merchant: string;
  /** What a product of its own would be called. */
  name: string;
  /** The identifier of the other kind that its row states. */
  otherValue: string | null;
  /** The product that the other identifier leads to. */
  other: Home | undefined;
}

const otherKind = (kind: 'gtin' | 'asin'): 'gtin' | 'asin' => (kind === 'gtin' ? 'asin' : 'gtin');

async function findBinding(transaction: Queryable, { kind, value }: IdentifierName): Promise<Binding | undefined> {
  const [row] = await transaction.query<{
    product_id: bigint;
    slug: string;
    merchant_id: bigint | null;
    claimed_at: Date | null;
  }>(
    `SELECT identifier.product_id, product.slug, identifier.merchant_id, identifier.claimed_at
     FROM product_identifier AS identifier
     JOIN product ON product.id = identifier.product_id
     WHERE identifier.kind::text = $1 AND identifier.value = $2`,
    [kind, value],
  );
  return (
    row && {
      productId: row.product_id,
      slug: row.slug,
      merchantId: row.merchant_id,
      claimedAt: row.claimed_at,
    }
  );
}

async function requireShop(transaction: Queryable, text: string): Promise<Shop> {
  const [shop] = await transaction.query<Shop>(
    'SELECT id, name FROM merchant WHERE name = $1::text OR slug = $1::text ORDER BY name <> $1::text LIMIT 1',
    [text],
  );
  if (shop) return shop;
  throw new IdentifierNotFound(`There is no shop ${text}: /api/v1/merchants lists all.`);
}

/** Makes a shop's claim void, whichever product it names. */
async function voidClaim(transaction: Queryable, identifier: IdentifierName, shop: Shop): Promise<void> {
  const { kind, value } = identifier;
  const [claim] = await transaction.query<{ some: boolean }>(
    `SELECT EXISTS (SELECT FROM offer WHERE merchant_id = $1 AND ${kind} = $2 AND withdrawn_at IS NULL)
            OR EXISTS (SELECT FROM identifier_dispute WHERE merchant_id = $1 AND ${kind} = $2)
            OR EXISTS (SELECT FROM product_identifier WHERE kind = '${kind}' AND value = $2 AND merchant_id = $1) AS some`,
    [shop.id, value],
  );
  if (!claim?.some) {
    const detail = `${shop.name} does not claim ${inWords(identifier)}: \`pda identifiers list\` shows the shops that do.`;
    throw new IdentifierNotFound(detail);
  }
  await transaction.query(`DELETE FROM identifier_dispute WHERE merchant_id = $1 AND ${kind} = $2`, [shop.id, value]);
  await transaction.query(
    `INSERT INTO identifier_detachment (kind, value, merchant_id)
     SELECT $1::identifier_kind, $2, $3::bigint
     WHERE NOT EXISTS (
       SELECT FROM identifier_detachment WHERE kind = $1::identifier_kind AND value = $2 AND merchant_id = $3::bigint
     )`,
    [kind, value, shop.id],
  );
}

/** Keeps an identifier off a product for all shops; what was said before of the product that it goes to no longer holds. */
async function bar(
  transaction: Queryable,
  { kind, value }: IdentifierName,
  productId: bigint,
  targetId: bigint | undefined,
): Promise<void> {
  await transaction.query(
    `DELETE FROM identifier_detachment
     WHERE kind::text = $1 AND value = $2 AND product_id IN ($3::bigint, $4::bigint)`,
    [kind, value, productId, targetId ?? null],
  );
  await transaction.query(
    'INSERT INTO identifier_detachment (kind, value, product_id) VALUES ($1::text::identifier_kind, $2, $3)',
    [kind, value, productId],
  );
}

/** The offers that stand at the product by this identifier alone: their rows state no other of it. By offer_listed_idx. */
async function findAffected(
  transaction: Queryable,
  { kind, value }: IdentifierName,
  productId: bigint,
  merchantId: bigint | undefined,
): Promise<AffectedOffer[]> {
  const other = otherKind(kind);
  const rows = await transaction.query<{
    id: bigint;
    merchant_id: bigint;
    merchant: string;
    name: string;
    other_value: string | null;
    other_id: bigint | null;
    other_slug: string | null;
  }>(
    `SELECT offer.id, offer.merchant_id, merchant.name AS merchant, COALESCE(NULLIF(offer.title, ''), product.name) AS name,
            stated.value AS other_value, named.id AS other_id, named.slug AS other_slug
     FROM offer
     JOIN merchant ON merchant.id = offer.merchant_id
     JOIN product ON product.id = offer.product_id
     LEFT JOIN LATERAL (
       SELECT offer.${other} AS value
       WHERE NOT EXISTS (
         SELECT
         FROM identifier_detachment AS void
         WHERE void.kind = '${other}' AND void.value = offer.${other} AND void.merchant_id = offer.merchant_id
       )
     ) AS stated ON TRUE
     LEFT JOIN product_identifier AS identifier ON identifier.kind = '${other}' AND identifier.value = stated.value
     LEFT JOIN product AS named ON named.id = identifier.product_id
     WHERE offer.product_id = $1
       AND offer.withdrawn_at IS NULL
       AND offer.${kind} = $2
       AND ($3::bigint IS NULL OR offer.merchant_id = $3::bigint)
       AND identifier.product_id IS DISTINCT FROM offer.product_id
     ORDER BY offer.id`,
    [productId, value, merchantId ?? null],
  );
  return rows.map((row) => ({
    id: row.id,
    merchantId: row.merchant_id,
    merchant: row.merchant,
    name: row.name,
    otherValue: row.other_value,
    other: row.other_id !== null && row.other_slug !== null ? { id: row.other_id, slug: row.other_slug } : undefined,
  }));
}

/**
 * Whether another shop or an operator stands for the identifier at the product. Offers that are not recorded yet count as if they
 * stated it.
 */
async function hasOtherClaim(
  transaction: Queryable,
  { kind, value }: IdentifierName,
  { productId, merchantId, claimedAt }: Binding,
  shopId: bigint,
): Promise<boolean> {
  const isOperators = merchantId === null && claimedAt !== null;
  if (isOperators || (merchantId !== null && merchantId !== shopId)) return true;
  const [claim] = await transaction.query<{ some: boolean }>(
    `SELECT EXISTS (
       SELECT
       FROM offer
       WHERE product_id = $1
         AND withdrawn_at IS NULL
         AND (${kind} = $2 OR title IS NULL)
         AND merchant_id <> $3
     ) AS some`,
    [productId, value, shopId],
  );
  return claim?.some ?? false;
}

/**
 * The product that most shops name for the identifier: by the other identifiers of the affected offers, and by their disputes.
 * Nothing where no shop names one that may have it.
 */
async function findHome(
  transaction: Queryable,
  { kind, value }: IdentifierName,
  productId: bigint,
  affected: readonly AffectedOffer[],
  voidMerchantId?: bigint,
): Promise<Home | undefined> {
  const other = otherKind(kind);
  const named = affected.flatMap(({ merchantId, other: home }) => (home ? [{ merchantId, productId: home.id }] : []));
  const [home] = await transaction.query<Home>(
    `SELECT product.id, product.slug
     FROM (
       SELECT merchant_id, product_id FROM unnest($3::bigint[], $4::bigint[]) AS named (merchant_id, product_id)
       UNION
       SELECT dispute.merchant_id, identifier.product_id
       FROM identifier_dispute AS dispute
       JOIN product_identifier AS identifier ON identifier.kind = '${other}' AND identifier.value = dispute.${other}
       WHERE dispute.${kind} = $1
     ) AS voice
     JOIN product ON product.id = voice.product_id
     WHERE voice.product_id <> $2
       AND voice.merchant_id IS DISTINCT FROM $5::bigint
       AND NOT EXISTS (
         SELECT
         FROM identifier_detachment AS detached
         WHERE detached.kind = '${kind}'
           AND detached.value = $1
           AND (detached.product_id = voice.product_id OR detached.merchant_id = voice.merchant_id)
       )
       AND (SELECT count(*) FROM product_identifier AS had WHERE had.product_id = product.id) < ${MOST_IDENTIFIERS}
     GROUP BY product.id, product.slug
     ORDER BY count(*) DESC, product.id
     LIMIT 1`,
    [
      value,
      productId,
      named.map((each) => each.merchantId),
      named.map((each) => each.productId),
      voidMerchantId ?? null,
    ],
  );
  return home;
}

/** Binds an identifier that is free. @param merchantId the shop that says so; null for an operator. */
async function bind(
  transaction: Queryable,
  { kind, value }: { kind: 'gtin' | 'asin'; value: string },
  productId: bigint,
  merchantId: bigint | null,
): Promise<void> {
  const [room] = await transaction.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM product_identifier WHERE product_id = $1',
    [productId],
  );
  if (room && room.count >= MOST_IDENTIFIERS) {
    throw new DetachRefused(
      `The product that ${inWords({ kind, value })} would go to has ${MOST_IDENTIFIERS} identifiers, the most: name another one with --to.`,
    );
  }
  await transaction.query(
    `INSERT INTO product_identifier (kind, value, product_id, merchant_id, claimed_at)
     VALUES ($1::text::identifier_kind, $2, $3, $4, now())
     ON CONFLICT (kind, value) DO NOTHING`,
    [kind, value, productId, merchantId],
  );
}

const ADD_MOVED = `
  INSERT INTO moved (offer_id, old_product_id, product_id, total, at)
  SELECT offer.id, offer.product_id, $2::bigint, offer.total, ${MOVED_AT}
  FROM offer
  WHERE offer.id = $1`;
