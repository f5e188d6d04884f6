/**
 * Turns names and queries into comparable words: lower case, accents folded, letters and digits only. Each character is folded by
 * itself, so that a prefix of a word folds to a prefix of the folded word. Scripts are kept (Cyrillic stays Cyrillic).
 *
 * In scripts without blanks between words, each letter with the one after it is a word. A dictionary (`Intl.Segmenter`) would divide a name
 * and a part of it differently, and differs between versions of Node.
 */

// Letters that Unicode does not decompose, but that people type without their mark or, the final sigma, otherwise.
const PLAIN: Readonly<Record<string, string>> = Object.fromEntries(
  'ß ss,æ ae,œ oe,ø o,đ d,ð d,ħ h,ı i,ł l,ŋ n,þ th,ŧ t,ς σ'.split(',').map((pair) => pair.split(' ')),
);
const NOT_PLAIN = new RegExp(`[${Object.keys(PLAIN).join('')}]`, 'g');
const ASCII = /^[\x20-\x7e]*$/;
const WORDS = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;
// Marks of these scripts are accents and points, which people leave out. Those of other scripts are vowels.
const ACCENTS =
  /\p{Variation_Selector}+|(^|[^\p{L}\p{M}]|[\p{scx=Latin}\p{scx=Greek}\p{scx=Cyrillic}\p{scx=Arabic}\p{scx=Hebrew}])\p{M}+/gu;
// Voiced sounds, which are letters of their own.
const VOICED = /[ぁ-ヿ][\u3099\u309a]/g;
const UNSPACED =
  /((?:(?=[\p{L}\p{M}])[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}])+)/u;
const ASCII_WORDS = /[a-z0-9]+/g;
/** The most characters of a word; longer ones are cut. */
export const LONGEST_WORD = 64;

/** The words of a text, without apostrophes. @example wordsOf("Crémona Levi's-Tre 冷凍庫") // ['cremona', 'levis', 'tre', '冷凍', '凍庫', '庫'] */
export function wordsOf(text: string): string[] {
  const lower = text.toLowerCase();
  const isAscii = ASCII.test(lower);
  const folded = isAscii
    ? lower
    : lower
        .normalize('NFKD')
        .replace(ACCENTS, '$1')
        .replace(VOICED, (letter) => letter.normalize('NFC'))
        .toLowerCase()
        .replace(NOT_PLAIN, (letter) => PLAIN[letter] ?? letter);
  const words = folded.replace(/['’ʼ`´]/g, '').match(isAscii ? ASCII_WORDS : WORDS) ?? [];
  return (isAscii ? words : words.flatMap(inPairs)).map((word) =>
    word.length > LONGEST_WORD ? [...word].slice(0, LONGEST_WORD).join('') : word,
  );
}

/** A word with its parts in scripts without blanks as pairs of letters. The last letter stands alone, so that it is found as a prefix too. */
function inPairs(word: string): string[] {
  return word.split(UNSPACED).flatMap((part, n) => {
    if (n % 2 === 0) return part === '' ? [] : [part];
    const letters = [...part];
    return letters.map((letter, at) => letter + (letters[at + 1] ?? ''));
  });
}

/** The words of a query: {@link wordsOf}, without last letters that the pair before them implies. */
export const wordsOfQuery = (query: string): string[] =>
  wordsOf(query).filter((word, at, words) => [...word].length > 1 || !areLinked(words[at - 1], word));

/** Whether two words are parts of one run of letters without blanks: the second begins with the last letter of the first. */
export const areLinked = (word: string | undefined, next: string | undefined): boolean =>
  word !== undefined && next !== undefined && UNSPACED.test(word) && [...word][1] === [...next][0];

/** The words of a name separated by spaces: the sort key of lists by name, and the source of search vectors. */
export const foldName = (name: string): string => wordsOf(name).join(' ');

// Letters that may replace a mistyped one, by the script of the word.
const ALPHABETS: readonly [RegExp, string][] = [
  [/[a-z]/, 'abcdefghijklmnopqrstuvwxyz'],
  [/[а-я]/, 'абвгдежзиклмнопрстуфхцчшщъыьэюяіїєґ'],
  [/[α-ω]/, 'αβγδεζηθικλμνξοπρστυφχψω'],
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
