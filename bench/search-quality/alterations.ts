/** The ways in which people write a name differently. Each alters a text, or returns `undefined` if the text has nothing to alter. */
import type { Random } from './random.ts';

export interface Alteration {
  name: string;
  /** The least share of originals in the first ten results, in percent. */
  target: number;
  alter(text: string, random: Random): string | undefined;
}

export const ALTERATIONS: readonly Alteration[] = [
  { name: 'words reordered', target: 98, alter: reorder },
  { name: 'one typing error', target: 95, alter: mistype },
  { name: 'words joined or split', target: 90, alter: joinOrSplit },
  { name: 'quantity respelled', target: 95, alter: respellQuantity },
  { name: 'accents removed', target: 99, alter: removeAccents },
  { name: 'half of the words', target: 80, alter: dropHalf },
  { name: 'plural for singular, English', target: 90, alter: pluralBy(englishPlural) },
  { name: 'plural for singular, German', target: 90, alter: pluralBy(germanPlural) },
  { name: 'plural for singular, French', target: 90, alter: pluralBy(frenchPlural) },
];

const wordsIn = (text: string) => text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word));

function reorder(text: string, random: Random): string | undefined {
  const words = wordsIn(text);
  return words.length < 2 ? undefined : random.shuffled(words).join(' ');
}

const replaceAt = (text: string, { index, 0: found }: RegExpMatchArray, by: string) =>
  `${text.slice(0, index)}${by}${text.slice((index ?? 0) + found.length)}`;

/** Replaces one of the parts of a text that match an expression. */
function alterOne(text: string, part: RegExp, random: Random, by: (found: string) => string): string | undefined {
  const parts = [...text.matchAll(part)];
  if (parts.length === 0) return undefined;
  const chosen = random.pick(parts);
  return replaceAt(text, chosen, by(chosen[0]));
}

function mistype(text: string, random: Random): string | undefined {
  return alterOne(text, /\p{L}{4,}/gu, random, (word) => {
    const letters = [...word.toLowerCase()];
    const alphabet = /[а-яё]/.test(word.toLowerCase())
      ? 'абвгдежзиклмнопрстуфхцчшщыьэюя'
      : 'abcdefghijklmnopqrstuvwxyz';
    const at = random.below(letters.length - 1);
    const letter = random.pick([...alphabet].filter((each) => each !== letters[at]));
    const kind = random.below(4);
    if (kind === 0) letters.splice(at, 1);
    else if (kind === 1) letters.splice(at, 0, letter);
    else if (kind === 2) letters.splice(at, 1, letter);
    else letters.splice(at, 2, letters[at + 1] ?? '', letters[at] ?? '');
    return letters.join('');
  });
}

function joinOrSplit(text: string, random: Random): string | undefined {
  const join = () => alterOne(text, /\p{L}{3,} \p{L}{3,}/gu, random, (pair) => pair.replace(' ', ''));
  const split = () =>
    alterOne(text, /\p{L}{6,}/gu, random, (word) => {
      const at = 3 + random.below(word.length - 5);
      return `${word.slice(0, at)} ${word.slice(at)}`;
    });
  const isJoined = random.below(2) === 0;
  return isJoined ? (join() ?? split()) : (split() ?? join());
}

const LARGER: Readonly<Record<string, string>> = { g: 'kg', ml: 'l', г: 'кг', мл: 'л' };
const SMALLER: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(LARGER).map(([small, large]) => [large, small]),
);

function respellQuantity(text: string, random: Random): string | undefined {
  const quantity = /(?<![\p{L}\p{N}.,])\d{1,5}(?:[.,]\d{1,3})? ?(?:kg|g|ml|l|кг|г|мл|л)(?![\p{L}\p{N}])/giu;
  return alterOne(text, quantity, random, (found) => {
    const [, digits = '', blank = '', unit = ''] = /^([\d.,]+)( ?)(.+)$/.exec(found) ?? [];
    if (random.below(2) === 0) return `${digits}${blank === '' ? ' ' : ''}${unit}`;
    const value = Number(digits.replace(',', '.'));
    const small = unit.toLowerCase();
    const larger = LARGER[small];
    const gap = random.pick(['', ' ']);
    if (larger !== undefined) return `${Number((value / 1000).toFixed(4))}${gap}${larger}`;
    return `${Number((value * 1000).toFixed(4))}${gap}${SMALLER[small]}`;
  });
}

function removeAccents(text: string): string | undefined {
  const plain = text.normalize('NFD').replace(/\p{M}+/gu, '');
  return plain === text.normalize('NFC') ? undefined : plain;
}

function dropHalf(text: string, random: Random): string | undefined {
  const words = wordsIn(text);
  if (words.length < 2) return undefined;
  const kept = new Set(random.shuffled(words.map((_, at) => at)).slice(0, Math.ceil(words.length / 2)));
  return words.filter((_, at) => kept.has(at)).join(' ');
}

function pluralBy(plural: (word: string) => string) {
  return (text: string, random: Random) =>
    alterOne(text, /(?<![\p{L}\p{N}'’])[a-zäöüéèêàâôî]{4,}(?<!s)(?![\p{L}\p{N}'’])/giu, random, (word) =>
      plural(word.toLowerCase()),
    );
}

function englishPlural(word: string): string {
  if (/[^aeiou]y$/.test(word)) return word.replace(/y$/, 'ies');
  return /(x|z|ch|sh)$/.test(word) ? `${word}es` : `${word}s`;
}

function germanPlural(word: string): string {
  if (/e$/.test(word)) return `${word}n`;
  if (/(ung|heit|keit|schaft|ion)$/.test(word)) return `${word}en`;
  if (/(chen|lein)$/.test(word)) return word;
  if (/(er|el)$/.test(word)) return `${word}n`;
  if (/[aiou]$/.test(word)) return `${word}s`;
  return /(ld|ch|nd)$/.test(word) ? `${word}er` : `${word}e`;
}

function frenchPlural(word: string): string {
  if (/al$/.test(word)) return word.replace(/al$/, 'aux');
  return /(eau|eu)$/.test(word) ? `${word}x` : `${word}s`;
}
