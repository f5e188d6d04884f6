/**
 * Names and queries as words that can be compared: lower case, accents folded, letters and digits only. Each character is
 * folded by itself, so that what begins a word also begins the folded word; scripts are kept (Cyrillic stays Cyrillic).
 */

// Letters that Unicode does not decompose and that people type without their mark.
const PLAIN: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ı: 'i',
  ł: 'l',
  ŋ: 'n',
  þ: 'th',
  ŧ: 't',
};
const NOT_PLAIN = new RegExp(`[${Object.keys(PLAIN).join('')}]`, 'g');
const ASCII = /^[\x20-\x7e]*$/;
const LONGEST_WORD = 64;

/**
 * The words of a text, in its order. An apostrophe joins (`Levi's` is `levis`), everything else that is no letter or
 * digit parts.
 *
 * @example wordsOf('Crémona Barista-Tre') // ['cremona', 'barista', 'tre']
 */
export function wordsOf(text: string): string[] {
  const lower = text.toLowerCase();
  const folded = ASCII.test(lower)
    ? lower
    : lower
        .normalize('NFKD')
        .replace(/\p{M}+/gu, '')
        .replace(NOT_PLAIN, (letter) => PLAIN[letter] ?? letter)
        .toLowerCase();
  const words = folded.replace(/['’ʼ`´]/g, '').match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.map((word) => (word.length > LONGEST_WORD ? [...word].slice(0, LONGEST_WORD).join('') : word));
}

/** The words of a name with one blank between: what lists by name are ordered by, and what search vectors are made of. */
export function foldName(name: string): string {
  return wordsOf(name).join(' ');
}

// What a mistyped letter may have been, by the script of the word.
const ALPHABETS: readonly [RegExp, string][] = [
  [/[a-z]/, 'abcdefghijklmnopqrstuvwxyz'],
  [/[а-я]/, 'абвгдежзиклмнопрстуфхцчшщъыьэюяіїєґ'],
  [/[α-ω]/, 'αβγδεζηθικλμνξοπρστυφχψως'],
];
const SHORTEST_MISTYPED = 4;

/**
 * All texts that are one typing error away from a word of four letters or more: one letter too few, too many, wrong, or
 * two changed over (Damerau's four kinds, which are nearly all errors of typing). None for shorter words and for numbers:
 * another number is another thing.
 */
export function typosOf(word: string): string[] {
  const letters = [...word];
  if (letters.filter((each) => /\p{L}/u.test(each)).length < SHORTEST_MISTYPED) return [];
  const alphabet = ALPHABETS.filter(([script]) => script.test(word))
    .map(([, each]) => each)
    .join('');
  const found = new Set<string>();
  for (let at = 0; at <= letters.length; at += 1) {
    const head = letters.slice(0, at).join('');
    const [next = '', afterNext = '', ...rest] = letters.slice(at);
    const tail = letters.slice(at + 1).join('');
    if (next !== '') found.add(head + tail);
    if (afterNext !== '') found.add(head + afterNext + next + rest.join(''));
    for (const letter of alphabet) {
      if (next !== '') found.add(head + letter + tail);
      found.add(head + letter + next + tail);
    }
  }
  found.delete(word);
  return [...found];
}
