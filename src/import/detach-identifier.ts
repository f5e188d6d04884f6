/**
 * Takes an identifier off its product, or voids one shop's claim to it, on an operator's word. Offers that only this identifier led to
 * the product move where they belong; recorded prices stay at the old product. Later imports do not undo it.
 */
import { recordAudit } from '../access/audit.ts';
import type { Database, Queryable } from '../database/database.ts';
import { encodeId } from '../values/id.ts';
import { findAffected, findHome, type Home } from './affected-offers.ts';
import { bar, findStandingDetachment, requireShop, voidClaim } from './detachment.ts';
import { raiseVersion, refreshMoved } from './figures.ts';
import { bind, DetachRefused, findBinding, hasOtherClaim } from './identifier-binding.ts';
import { type Identifier, IdentifierNotFound, inWords, otherKind, requireProduct, shown } from './identifier-name.ts';
import { forgetContent } from './import-run.ts';
import { CREATE_MOVED, MOVED_AT, moveOffers } from './move-offers.ts';
import { makeOwnProduct } from './own-product.ts';
import { soleValue } from './sole-value.ts';
import { noteProducts, recordChanges } from './stream.ts';
import { writeAlone } from './write-lock.ts';

export interface DetachRequest {
  identifier: Identifier;
  /** The name of the shop whose claim becomes void; without it, the identifier is taken off for all shops. */
  merchant?: string | undefined;
  /** A GTIN, ASIN, slug or id of the product that the identifier, or the shop's offers, belong to. */
  to?: string | undefined;
  /** Does everything and rolls it back at the end. */
  isDryRun?: boolean;
}

export interface DetachReport extends Identifier {
  /** The slug of the product that had it; absent if none did. */
  from?: string;
  /** The shop whose claim is void. */
  merchant?: string;
  /** Whether the product has lost the identifier: always without a shop, otherwise if no other shop claims it. */
  isTakenOff: boolean;
  /** The slug of the product that has the identifier now; absent if none does. */
  to?: string;
  /** When an earlier detachment took it off `from`: it still stands, so nothing was changed. */
  detachedAt?: Date;
  /** The moved offers and the slugs of their new products. An offer without one was withdrawn: its shop has too many there. */
  offers: { id: string; merchant: string; to?: string }[];
}

/**
 * Detaches an identifier, in one transaction under the importer's lock.
 * @throws {IdentifierNotFound} when the claim, shop or product does not exist.
 * @throws {DetachRefused} when its new product already has it, or has no room for it.
 */
export async function detachIdentifier(database: Database, request: DetachRequest): Promise<DetachReport> {
  const { isDryRun = false } = request;
  const report = await writeAlone(database, isDryRun, (transaction) => detach(transaction, request));
  // Every search reads the words that the index has not yet sorted in.
  if (!isDryRun && report.offers.length > 0) await database.query('SELECT clean_search_index()');
  return report;
}

async function detach(transaction: Queryable, { identifier, merchant, to }: DetachRequest): Promise<DetachReport> {
  const { kind, value } = identifier;
  const bound = await findBinding(transaction, identifier);
  const shop = merchant === undefined ? undefined : await requireShop(transaction, merchant);
  const standing = shop || to !== undefined ? undefined : await findStandingDetachment(transaction, identifier, bound);
  if (standing) {
    const report = { kind, value: shown(identifier), isTakenOff: false, offers: [] };
    return { ...report, ...standing, ...(bound && { to: bound.slug }) };
  }
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
    await transaction.query(noteProducts('SELECT $1::bigint'), [bound.productId]);
    await transaction.query('DELETE FROM product_identifier WHERE kind::text = $1 AND value = $2', [kind, value]);
    home = shop ? undefined : target;
    home ??= await findHome(transaction, identifier, bound.productId, shop ? [] : affected, shop?.id);
    if (home) await bind(transaction, identifier, home.id, null);
  }

  await transaction.script(CREATE_MOVED);
  const own = new Map<string, Home>();
  const places: { id: bigint; merchant: string; to: string }[] = [];
  for (const offer of affected) {
    let place: Home | undefined = offer.other ?? (shop ? target : home);
    if (!place) {
      // Without a shop, all these offers state the identifier and so share a product. A void claim joins no offers.
      const key = shop ? (offer.otherValue ?? `offer ${offer.id}`) : 'home';
      place = own.get(key) ?? (await makeOwnProduct(transaction, offer.name, offer.merchantId));
      own.set(key, place);
      if (!shop) {
        await bind(transaction, identifier, place.id, offer.merchantId);
        home ??= place;
      }
    }
    if (offer.otherValue !== null && !offer.other) {
      await bind(transaction, { kind: otherKind(kind), value: offer.otherValue }, place.id, offer.merchantId);
    }
    await transaction.query(ADD_MOVED, [offer.id, place.id]);
    places.push({ id: offer.id, merchant: offer.merchant, to: place.slug });
  }
  const withdrawn = await moveAll(transaction, places.length);
  const offers = places.map(({ id, merchant: shopName, to: slug }) => ({
    id: encodeId('offer', id),
    merchant: shopName,
    ...(!withdrawn.has(id) && { to: slug }),
  }));
  const claimed = shop && { merchant: shop.name };
  await recordAudit(transaction, {
    action: 'identifier.detach',
    before: { [kind]: shown(identifier), ...(bound && { product: bound.slug }), ...claimed },
    after: { isTakenOff, ...(home && { product: home.slug }), offers: offers.length },
  });
  return {
    kind,
    value: shown(identifier),
    ...(bound && { from: bound.slug }),
    ...claimed,
    isTakenOff,
    ...(home && { to: home.slug }),
    offers,
  };
}

/** Moves the offers in `moved` and refreshes figures. @returns the offers that were withdrawn instead. */
async function moveAll(transaction: Queryable, count: number): Promise<ReadonlySet<bigint>> {
  if (count === 0) {
    await raiseVersion(transaction);
    await recordChanges(transaction, { observedAt: new Date(), merchantId: null });
    return new Set();
  }
  await moveOffers(transaction);
  const surplus = await transaction.query<{ offer_id: bigint }>('SELECT offer_id FROM moved WHERE total IS NULL');
  await refreshMoved(transaction, await soleValue<Date>(transaction, 'SELECT max(at) AS at FROM moved'));
  await forgetContent(transaction);
  return new Set(surplus.map(({ offer_id: id }) => id));
}

const ADD_MOVED = `
  INSERT INTO moved (offer_id, old_product_id, product_id, total, at)
  SELECT offer.id, offer.product_id, $2::bigint, offer.total, ${MOVED_AT}
  FROM offer
  WHERE offer.id = $1`;
