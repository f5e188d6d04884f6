/** The options of `npm run bench`. */
import { parseArgs } from 'node:util';
import { NotMeasured } from './not-measured.ts';

/** The parts of a run without `--only`. */
export const PARTS = [
  'start',
  'lookups',
  'changes',
  'lists',
  'overload',
  'strangers',
  'exports',
  'webhooks',
  'imports',
  'waits',
  'search-quality',
] as const;
/** The parts that run only if `--only` names them, because they need more than one server. They are never compared with a recorded commit. */
export const NAMED_PARTS = ['distribution'] as const;
const ALL_PARTS = [...PARTS, ...NAMED_PARTS] as const;
export type Part = (typeof ALL_PARTS)[number];

export interface BenchOptions {
  /** Whether to compare with peers, to check against the recorded commit, or to record the present one. */
  mode: 'compare' | 'check' | 'record';
  parts: readonly Part[];
  products: number;
  isQuick: boolean;
  isFresh: boolean;
  /** How many names the part `search-quality` alters in each way, and the seed by which it draws them. */
  names: number;
  seed: number;
  /** The file for the figures. */
  json: string | undefined;
}

const FEWEST_PRODUCTS = 1_000;

/** Reads the words after `npm run bench --`. @throws NotMeasured if they are invalid. */
export function readOptions(words: readonly string[]): BenchOptions {
  const { check, record, products, quick, fresh, only, json, names, seed } = parse(words);
  const mode = check ? 'check' : record ? 'record' : 'compare';
  if (check && record) throw new NotMeasured('--check and --record exclude each other: check first, then record.');
  if (mode !== 'compare' && (quick || fresh || json !== undefined || (record && products !== undefined))) {
    throw new NotMeasured(`--${mode} takes only --only${check ? ' and --products' : ''}.`);
  }
  const parts = partsOf(only);
  const named = parts.filter(isNamedPart);
  if (mode !== 'compare' && named.length > 0) throw new NotMeasured(`--${mode} has no row for ${named.join(', ')}.`);
  // The catalogue of --check is small, so that two versions can be measured in a quarter of an hour. That of the named parts is imported
  // several times.
  const count = Number(products ?? (check || parts.every(isNamedPart) ? 20_000 : 200_000));
  if (!Number.isInteger(count) || count < FEWEST_PRODUCTS) {
    throw new NotMeasured(`--products must be a whole number from ${FEWEST_PRODUCTS}; got ${products}.`);
  }
  return {
    mode,
    parts,
    products: count,
    isQuick: quick,
    isFresh: fresh,
    json,
    names: wholeNumber('names', names ?? '1000'),
    seed: wholeNumber('seed', seed ?? '1'),
  };
}

function wholeNumber(name: string, text: string): number {
  if (/^\d{1,6}$/.test(text)) return Number(text);
  throw new NotMeasured(`--${name} must be a whole number below 1000000; got ${text}.`);
}

const OPTIONS = {
  check: { type: 'boolean', default: false },
  record: { type: 'boolean', default: false },
  products: { type: 'string' },
  quick: { type: 'boolean', default: false },
  fresh: { type: 'boolean', default: false },
  only: { type: 'string' },
  json: { type: 'string' },
  names: { type: 'string' },
  seed: { type: 'string' },
} as const;

function parse(words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      options: OPTIONS,
    }).values;
  } catch (error) {
    const { message } = error as Error;
    throw new NotMeasured(
      `${message}\nThe options are ${Object.keys(OPTIONS)
        .map((name) => `--${name}`)
        .join(', ')}: see docs/performance.md.`,
    );
  }
}

function partsOf(only: string | undefined): readonly Part[] {
  if (only === undefined) return PARTS;
  const named = only.split(',');
  const unknown = named.find((name) => !ALL_PARTS.some((part) => part === name));
  if (unknown !== undefined) throw new NotMeasured(`--only takes ${ALL_PARTS.join(', ')}; got "${unknown}".`);
  return ALL_PARTS.filter((part) => named.includes(part));
}

/** Whether a part runs only if it is named. */
export const isNamedPart = (part: Part): boolean => NAMED_PARTS.some((name) => name === part);
