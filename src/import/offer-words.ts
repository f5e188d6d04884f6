/** The words that shops use for availability and condition, mapped to Google Merchant's. */
import type { Availability, Condition } from '../generated/prisma/enums.ts';

const AVAILABILITIES = new Map<string, Availability>([
  ...['instock', 'available', 'limitedavailability', 'onlineonly', 'instoreonly'].map(meaning('in_stock')),
  ...['outofstock', 'soldout', 'discontinued', 'reserved', 'unavailable'].map(meaning('out_of_stock')),
  ...['preorder', 'presale'].map(meaning('preorder')),
  ...['backorder', 'onbackorder', 'madetoorder', 'availablefororder'].map(meaning('backorder')),
]);

// "Like new" has had an owner, so it is used.
const CONDITIONS = new Map<string, Condition>([
  ...['new', 'brandnew', 'newcondition'].map(meaning('new')),
  ...['refurbished', 'refurbishedcondition', 'renewed', 'reconditioned'].map(meaning('refurbished')),
  ...['used', 'usedcondition', 'likenew', 'usedlikenew', 'damaged', 'damagedcondition'].map(meaning('used')),
]);

/**
 * Understands Google's and schema.org's words (ItemAvailability) in any case and with any separators; `undefined` for other text.
 * @example parseAvailability('https://schema.org/InStock') // 'in_stock'
 */
export function parseAvailability(text: string): Availability | undefined {
  return AVAILABILITIES.get(compact(text));
}

/** Understands a condition as {@link parseAvailability} does an availability. Source: schema.org/OfferItemCondition. */
export function parseCondition(text: string): Condition | undefined {
  return CONDITIONS.get(compact(text));
}

function compact(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/^(?:https?:\/\/(?:www\.)?schema\.org\/|schema:)/, '')
    .replace(/[\s_-]+/g, '');
}

function meaning<const Meaning>(value: Meaning): (word: string) => [string, Meaning] {
  return (word) => [word, value];
}
