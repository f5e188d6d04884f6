// Why a row of a feed is rejected, and the error for a feed that cannot be read as a whole.

const REASONS = {
  missing_id: 'The row has no id, so it could not be found again at the next import.',
  missing_title: 'The row has no title.',
  missing_link: 'The row has no link to the shop.',
  invalid_link: 'The link is not an http or https address, or has a user name or password before its host.',
  missing_price: 'The row has no price.',
  invalid_price: 'A price is not a number above zero with the decimals its currency has.',
  ambiguous_price: 'A price can be read in two ways, such as 1.299 EUR.',
  missing_currency: 'A price does not say its currency.',
  other_currency: 'A price is in another currency than the market, or in none that exists.',
  price_out_of_range: 'A price is above 10^12 of the smallest units of its currency.',
  invalid_sale_period: 'The sale price effective date is not two points in time with a slash between.',
  missing_availability: 'The row does not say whether the goods are available.',
  unknown_availability: 'The availability is none of the known words.',
  unknown_condition: 'The condition is none of the known words.',
  invalid_gtin: 'The GTIN is malformed or its check digit is wrong.',
  invalid_asin: 'The ASIN is not ten letters and digits.',
  repeated_field: 'A field that takes one value occurs with two different ones.',
  field_too_long: 'A field is longer than its limit.',
  invalid_encoding: 'The row holds characters that do not exist in the encoding of the feed.',
  ragged_row: 'The row has more fields than the header.',
  not_an_object: 'The line is JSON, but not an object.',
  duplicate_id: 'An earlier row of the same feed has the same id.',
  identifier_conflict: 'The identifiers of the row belong to two different products.',
  identifier_chain:
    'A chain of more than 100 rows, each sharing a GTIN, ASIN or MPN with the one before, leads to the row.',
  too_many_offers: 'The shop already lists 20 other offers for the same product, the most that it may.',
} as const;

/** Why a row is rejected, in the rejects file and the summary. */
export type RejectReason = keyof typeof REASONS;

/** One sentence on each reason, for the documentation. */
export const REJECT_REASON_MEANING: Readonly<Record<RejectReason, string>> = REASONS;

/** All reasons, in the order of the documentation. */
export const REJECT_REASONS: readonly RejectReason[] = Object.keys(REASONS).filter(isRejectReason);

export interface Rejection {
  /** The line of the feed on which the row starts, from 1. */
  line: number;
  /** The row's own id, when it has one. */
  id?: string;
  reason: RejectReason;
  /** One plain sentence that names the field and the value. */
  detail: string;
}

/**
 * The feed as a whole cannot be used (cut off, wrong format, missing): nothing of it may be imported.
 * The message starts with `line N:` if the line is known, and says what to do.
 */
export class BrokenFeed extends Error {
  override name = 'BrokenFeed';
  readonly line: number | undefined;

  constructor(message: string, { line, ...options }: { line?: number; cause?: unknown } = {}) {
    super(line === undefined ? message : `line ${line}: ${message}`, options);
    this.line = line;
  }
}

const CAUSES: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or folder. Check the path.',
  ENOTDIR: 'the path has a file where a folder is expected. Check the path.',
  EISDIR: 'it is a folder. Give the path of a file.',
  EACCES: 'permission denied. Allow this user to read it.',
  EPERM: 'permission denied. Allow this user to read it.',
};

/** The error for a file or folder that an import cannot read. @param cause the error of the system, with a code such as `ENOENT`. */
export function unreadable(path: string, cause: unknown): BrokenFeed {
  const { code = '', message = String(cause) } = cause as { code?: string; message?: string };
  return new BrokenFeed(`${path} cannot be read: ${CAUSES[code] ?? message}`, { cause });
}

export function isRejectReason(word: string): word is RejectReason {
  return Object.hasOwn(REASONS, word);
}
