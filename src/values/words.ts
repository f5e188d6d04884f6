/**
 * Turns names and queries into comparable words: lower case, accents folded, letters and digits only. Each character is folded by
 * itself, so that a prefix of a word folds to a prefix of the folded word. Scripts are kept (Cyrillic stays Cyrillic).
 */

// Letters that Unicode does not decompose, but that people type without their mark.
const PLAIN: Readonly<Record<string, string>> = Object.fromEntries(
  'ß ss,æ ae,œ oe,ø o,đ d,ð d,ħ h,ı i,ł l,ŋ n,þ th,ŧ t'.split(',').map((pair) => pair.split(' ')),
);
const NOT_PLAIN = new RegExp(`[${Object.keys(PLAIN).join('')}]`, 'g');
const ASCII = /^[\x20-\x7e]*$/;
const WORDS = /[\p{L}\p{N}]+/gu;
const ASCII_WORDS = /[a-z0-9]+/g;
/** The most characters of a word; longer ones are cut. */
export const LONGEST_WORD = 64;

/** The words of a text, without apostrophes. @example wordsOf("Crémona Levi's-Tre") // ['cremona', 'levis', 'tre'] */
export function wordsOf(text: string): string[] {
  const lower = text.toLowerCase();
  const isAscii = ASCII.test(lower);
  const folded = isAscii
    ? lower
    : lower
        .normalize('NFKD')
        .replace(/\p{M}+/gu, '')
        .replace(NOT_PLAIN, (letter) => PLAIN[letter] ?? letter)
        .toLowerCase();
  const words = folded.replace(/['’ʼ`´]/g, '').match(isAscii ? ASCII_WORDS : WORDS) ?? [];
  return words.map((word) => (word.length > LONGEST_WORD ? [...word].slice(0, LONGEST_WORD).join('') : word));
}

/** The words of a name separated by spaces: the sort key of lists by name, and the source of search vectors. */
export const foldName = (name: string): string => wordsOf(name).join(' ');

// Letters that may replace a mistyped one, by the script of the word.
const ALPHABETS: readonly [RegExp, string][] = [
  [/[a-z]/, 'abcdefghijklmnopqrstuvwxyz'],
  [/[а-я]/, 'абвгдежзиклмнопрстуфхцчшщъыьэюяіїєґ'],
  [/[α-ω]/, 'αβγδεζηθικλμνξοπρστυφχψως'],
];
const THREE_LETTERS = /^\p{L}{3}$/u;
/** The letters of the shortest word that may be mistyped. */
export const SHORTEST_MISTYPED = 4;

/**
 * All texts within one typing error of a word of four letters or more: a missing, additional, wrong or transposed letter (Damerau's
 * four kinds, which cover nearly all typing errors). For three letters, those of four letters, one of which was lost. Empty for shorter
 * words and for numbers, where a difference is significant.
 */
export function typosOf(word: string): string[] {
  const letters = [...word];
  const isLong = letters.filter((each) => /\p{L}/u.test(each)).length >= SHORTEST_MISTYPED;
  if (!isLong && !THREE_LETTERS.test(word)) return [];
  const alphabet = ALPHABETS.filter(([script]) => script.test(word))
    .map(([, each]) => each)
    .join('');
  const found = new Set<string>();
  for (let at = 0; at <= letters.length; at += 1) {
    const head = letters.slice(0, at).join('');
    const [next = '', afterNext = '', ...rest] = letters.slice(at);
    const tail = letters.slice(at + 1).join('');
    if (isLong && next !== '') found.add(head + tail);
    if (isLong && afterNext !== '') found.add(head + afterNext + next + rest.join(''));
    for (const letter of alphabet) {
      if (isLong && next !== '') found.add(head + letter + tail);
      found.add(head + letter + next + tail);
    }
  }
  found.delete(word);
  return [...found];
}
