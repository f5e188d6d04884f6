/**
 * Reads the amount of goods from their name, such as `6 x 330 ml`, where it can mean nothing else. A missing unit price is a gap; a wrong one
 * sends a buyer to the wrong shop. One pass over the words of the name.
 */
import { type Measure, PARTS_OF_BASE_UNIT } from '../../values/unit-price.ts';
import { measureOf, readQuantity, type Unit, unitOf } from './units.ts';
import { AFTER_OTHER_AMOUNTS, BEFORE_OTHER_AMOUNTS, CAPACITIES, COUNTED, INEXACT, SEVERAL_PACKS } from './words.ts';

/** A longer name is a description, with amounts of its own. */
const LONGEST_NAME = 300;

/** The amounts of one offer: from a gram or millilitre to a tonne or cubic metre. */
const LEAST = PARTS_OF_BASE_UNIT / 1_000n;
const MOST = PARTS_OF_BASE_UNIT * 1_000n;
const MOST_PACKS = 1_000n;

interface Token {
  kind: 'number' | 'word' | 'sign';
  /** As written. */
  text: string;
  /** In lower case. */
  word: string;
  /** Whether no blank separates it from the token before. */
  isGlued: boolean;
}

/**
 * The amount that a name states of goods.
 * @param isSoldByMeasure whether their category is one of goods that are sold by their amount; `undefined` if the category is not known:
 *   then only several packs count.
 */
export function measureInName(name: string, isSoldByMeasure: boolean | undefined): Measure | undefined {
  if (isSoldByMeasure === false || name.length > LONGEST_NAME || !MAY_HAVE_AMOUNT.test(name)) return undefined;
  const tokens = tokensOf(name.normalize('NFC'));
  if (tokens.some(({ word }) => INEXACT.has(word) || VAGUE_SIGNS.has(word))) return undefined;
  let found: NamedAmount | undefined;
  for (let at = 0; at < tokens.length; ) {
    if (tokens[at]?.kind !== 'number') {
      at += 1;
      continue;
    }
    const amount = amountAt(tokens, at);
    if (amount === undefined) {
      if (isDoubtful(tokens, at)) return undefined;
      at += 1;
      continue;
    }
    if (amount === 'unclear' || (found && !isSame(found.measure, amount.measure))) return undefined;
    found = found?.isMultiplied ? found : amount;
    at = amount.end;
  }
  return found && isTrusted(found, tokens, isSoldByMeasure === true) ? found.measure : undefined;
}

// Most names of other goods have no number before a letter.
const MAY_HAVE_AMOUNT = /\d\s?\p{L}/u;
const TOKEN = /[\d.,]+|\p{L}+|\S/gu;
const VAGUE_SIGNS: ReadonlySet<string> = new Set(['~', '≈', '=', '€', '$', '£', '<', '>', '≤', '≥', '±']);
const TIMES: ReadonlySet<string> = new Set(['x', '×', '*']);
const DASHES: ReadonlySet<string> = new Set(['-', '–', '—', '‐', '‑']);

function tokensOf(name: string): Token[] {
  const tokens: Token[] = [];
  let end = 0;
  for (const { 0: text, index } of name.matchAll(TOKEN)) {
    const kind = /\d/.test(text) ? 'number' : /^\p{L}/u.test(text) ? 'word' : 'sign';
    // The stop or comma at the end of a clause.
    const isClosed = kind === 'number' && /[.,]$/.test(text);
    tokens.push({ kind, text: isClosed ? text.slice(0, -1) : text, word: text.toLowerCase(), isGlued: index === end });
    end = index + text.length;
  }
  return tokens;
}

interface NamedAmount {
  measure: Measure;
  isMultiplied: boolean;
  /** The position of the token after it. */
  end: number;
}

const isSame = (one: Measure, other: Measure) => one.parts === other.parts && one.unit === other.unit;
const isTimes = (token: Token | undefined): boolean => token !== undefined && TIMES.has(token.word);
const isNumber = (token: Token | undefined): boolean => token?.kind === 'number';

/** The amount that starts with a number; `undefined` if none does, `unclear` if it may not be the amount of the goods. */
function amountAt(tokens: readonly Token[], start: number): NamedAmount | 'unclear' | undefined {
  let at = start;
  let packs = 1n;
  while (isTimes(tokens[at + 1]) && isNumber(tokens[at + 2])) {
    const factor = readPacks(tokens[at]);
    if (factor === undefined) return 'unclear';
    packs *= factor;
    at += 2;
  }
  const read = readUnit(tokens, at + 1);
  if (!read) return at > start ? 'unclear' : undefined;
  let { end } = read;
  // `330 ml x 6`
  if (isTimes(tokens[end]) && isNumber(tokens[end + 1])) {
    const factor = at === start && !readUnit(tokens, end + 2) ? readPacks(tokens[end + 1]) : undefined;
    if (factor === undefined) return 'unclear';
    packs *= factor;
    end += 2;
  }
  const quantity = readQuantity(tokens[at]?.text ?? '');
  if (!quantity || !read.unit || packs > MOST_PACKS || !isClearBefore(tokens, start) || !isClearAfter(tokens, end)) {
    return 'unclear';
  }
  const measure = measureOf(quantity, read.unit, packs);
  if (!measure || measure.parts < LEAST || measure.parts > MOST) return 'unclear';
  return { measure, isMultiplied: packs > 1n, end };
}

/** A number of packs: whole, and above 0. */
function readPacks(token: Token | undefined): bigint | undefined {
  const quantity = readQuantity(token?.text ?? '');
  return quantity && quantity.decimals === 0 && quantity.digits > 0n ? quantity.digits : undefined;
}

// Doses; ounces, which may be of mass or of volume; and units that are also other words.
const OTHER_UNITS: ReadonlySet<string> = new Set(['mg', 'µg', 'mcg', 'ie', 'iu', 'oz', 'pt', 'qt', 'gal']);

/** The unit at a position, `undefined` without one, and the position after it. A dose or an ounce has no `unit`. */
function readUnit(tokens: readonly Token[], at: number): { unit: Unit | undefined; end: number } | undefined {
  const [first, second, third] = [tokens[at], tokens[at + 1], tokens[at + 2]];
  if (first?.kind !== 'word') return undefined;
  if (first.word === 'fl') {
    const ounces = second?.text === '.' ? third : second;
    if (ounces?.word === 'oz') return { unit: unitOf('floz'), end: at + (second === ounces ? 2 : 3) };
  }
  if (OTHER_UNITS.has(first.word)) return { unit: undefined, end: at + 1 };
  const unit = first.text === 'G' ? undefined : unitOf(first.text);
  const isOfGoods = unit?.base === 'kg' || unit?.base === 'l';
  // `l'eau`
  const isArticle = second?.isGlued === true && /^['’]$/.test(second.text);
  return isOfGoods && !isArticle ? { unit, end: at + 1 } : undefined;
}

function isClearBefore(tokens: readonly Token[], start: number): boolean {
  let at = start - 1;
  const before = tokens[at];
  if (!before) return true;
  if (tokens[start]?.isGlued && before.kind === 'word') return false;
  // `1 000 g` and `20 0,5 l` may mean more; `2019 0,75 l` is a vintage.
  if (before.kind === 'number') return /^(?:19|20)\d\d$/.test(before.text);
  if (DASHES.has(before.text)) return !isNumber(tokens[at - 1]);
  if (before.text === '.') at -= 1;
  const word = tokens[at];
  if (word?.kind === 'sign') return /^[(,;:|"“„'’&!?)\]%®™•·]$/.test(word.text);
  return word === undefined || (!BEFORE_OTHER_AMOUNTS.has(word.word) && !isTimes(word));
}

function isClearAfter(tokens: readonly Token[], end: number): boolean {
  const after = tokens[end];
  if (!after) return true;
  if (after.kind === 'number') return !after.isGlued;
  if (after.kind === 'word') return !AFTER_OTHER_AMOUNTS.has(after.word) && !isTimes(after);
  if (DASHES.has(after.text)) return !isNumber(tokens[end + 1]);
  return !/^[/+*×%]$/.test(after.text);
}

/** Whether a number without a unit may count packs: `24x`, `6er`, `12 Dosen`, `(6)`, `5+1`. */
function isDoubtful(tokens: readonly Token[], at: number): boolean {
  const [before, after, further] = [tokens[at - 1], tokens[at + 1], tokens[at + 2]];
  if (isTimes(before) || isTimes(after) || before?.text === '+' || after?.text === '+') return true;
  if (before?.text === '(' && after?.text === ')') return true;
  if (before?.word === 'of' || (before !== undefined && SEVERAL_PACKS.has(before.word))) return true;
  const counted = after && DASHES.has(after.text) && after.isGlued ? further : after;
  if (counted?.kind !== 'word') return false;
  return COUNTED.has(counted.word) || (counted.isGlued && /^(?:x|er)/.test(counted.word));
}

/** Whether an amount that is clear in itself is that of the goods. */
function isTrusted({ isMultiplied }: NamedAmount, tokens: readonly Token[], isSoldByMeasure: boolean): boolean {
  if (!isMultiplied) return isSoldByMeasure && !tokens.some(({ word }) => SEVERAL_PACKS.has(word));
  return isSoldByMeasure || !tokens.some(({ word }) => CAPACITIES.some((part) => word.includes(part)));
}
