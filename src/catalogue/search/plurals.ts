/** Plurals and singulars of a word in English, German and French, without a dictionary: only those that are words of names count. */

const SHORTEST_STEM = 3;
const SHORTEST_WORD = 4;

// What a plural may end with, and what its singular ends with instead. Folding has already removed umlauts.
const SINGULAR: readonly (readonly [string, readonly string[]])[] = [
  ['ies', ['y', 'ie']],
  ['ves', ['f', 'fe']],
  ['eaux', ['eau']],
  ['aux', ['al', 'ail', 'au']],
  ['nnen', ['n']],
  ['es', ['', 'e']],
  ['en', ['', 'e']],
  ['er', ['']],
  ['s', ['']],
  ['x', ['']],
  ['n', ['']],
  ['e', ['']],
];

// Plurals that do not begin with the singular, so that a prefix does not find them.
const PLURAL: readonly (readonly [string, readonly string[]])[] = [
  ['y', ['ies']],
  ['fe', ['ves']],
  ['f', ['ves']],
  ['al', ['aux']],
  ['ail', ['aux']],
];

/** The words that may be the singular or an irregular plural of a word. @example otherNumbersOf('parties') // ['party', …] */
export function otherNumbersOf(word: string): string[] {
  if (word.length < SHORTEST_WORD || !/^[a-z]+$/.test(word)) return [];
  const forms = [...SINGULAR, ...PLURAL].flatMap(([ending, others]) => {
    if (!word.endsWith(ending)) return [];
    const stem = word.slice(0, word.length - ending.length);
    return others.map((other) => stem + other);
  });
  return [...new Set(forms)].filter((form) => form.length >= SHORTEST_STEM && form !== word);
}
