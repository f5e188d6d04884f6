// The words shops use for the condition of goods, in Google Merchant's three.

import { compactWord } from './availability.ts';

/** The condition of goods (Google Merchant's words, decisions §5). */
export type Condition = 'new' | 'refurbished' | 'used';

/**
 * Understands Google's and schema.org's words; `undefined` for any other. "Like new" has had an owner and is used.
 * Source: schema.org/OfferItemCondition.
 */
export function parseCondition(text: string): Condition | undefined {
  return CONDITION_BY_WORD.get(compactWord(text));
}

const CONDITION_BY_WORD: ReadonlyMap<string, Condition> = new Map([
  ['new', 'new'],
  ['brandnew', 'new'],
  ['newcondition', 'new'],
  ['refurbished', 'refurbished'],
  ['refurbishedcondition', 'refurbished'],
  ['renewed', 'refurbished'],
  ['reconditioned', 'refurbished'],
  ['used', 'used'],
  ['usedcondition', 'used'],
  ['likenew', 'used'],
  ['usedlikenew', 'used'],
  ['damaged', 'used'],
  ['damagedcondition', 'used'],
]);
