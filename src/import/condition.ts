// The words that shops use for the condition of goods, mapped to Google Merchant's three.

import { Condition } from '../generated/prisma/enums.ts';
import { compactWord } from './compact-word.ts';

/**
 * Understands the words of Google and schema.org; `undefined` for any other text. "Like new" has had an owner, so it is used.
 * Source: schema.org/OfferItemCondition.
 */
export function parseCondition(text: string): Condition | undefined {
  return CONDITION_BY_WORD.get(compactWord(text));
}

const WORDS: Record<Condition, readonly string[]> = {
  new: ['new', 'brandnew', 'newcondition'],
  refurbished: ['refurbished', 'refurbishedcondition', 'renewed', 'reconditioned'],
  used: ['used', 'usedcondition', 'likenew', 'usedlikenew', 'damaged', 'damagedcondition'],
};

const CONDITION_BY_WORD: ReadonlyMap<string, Condition> = new Map(
  Object.values(Condition).flatMap((condition) => WORDS[condition].map((word) => [word, condition])),
);
