/** Ids as clients see them: opaque strings such as `prd_3f`. The prefix gives the kind. Slugs have no underscore, so no id is one. */
import { LARGEST_BIGINT } from './largest-bigint.ts';

const PREFIXES = {
  product: 'prd',
  offer: 'off',
  merchant: 'mer',
  brand: 'brd',
  category: 'cat',
  article: 'art',
  key: 'key',
  webhook: 'whk',
  delivery: 'dlv',
  feed: 'fed',
  feedRun: 'run',
  session: 'ses',
} as const;
export type IdKind = keyof typeof PREFIXES;

/** The id that clients see for a row's number. */
export function encodeId(kind: IdKind, number: bigint): string {
  return `${PREFIXES[kind]}_${number.toString(36)}`;
}

/** The row's number in an id; `undefined` if the text is not an id of this kind. */
export function decodeId(kind: IdKind, id: string): bigint | undefined {
  const [prefix, digits, ...rest] = id.split('_');
  if (prefix !== PREFIXES[kind] || rest.length > 0 || !digits || !/^[1-9a-z][0-9a-z]{0,12}$/.test(digits))
    return undefined;
  let number = 0n;
  for (const digit of digits) number = number * 36n + BigInt(Number.parseInt(digit, 36));
  return number <= LARGEST_BIGINT ? number : undefined;
}

/** The kind of an id, from its prefix; `undefined` if the text is not an id. */
export function kindOfId(id: string): IdKind | undefined {
  const prefix = id.split('_', 1)[0];
  return (Object.keys(PREFIXES) as IdKind[]).find(
    (kind) => PREFIXES[kind] === prefix && decodeId(kind, id) !== undefined,
  );
}
