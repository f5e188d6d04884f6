// Why a row of a feed is rejected and how the shop fixes it, and the error for a feed that cannot be read as a whole.

const REASONS = {
  missing_id: {
    meaning: 'The row has no id, so it could not be found again at the next import.',
    fix: 'Give each row an id, such as your article number, and never change it.',
  },
  missing_title: {
    meaning: 'The row has no title.',
    fix: 'Fill in the title with the name of the product.',
  },
  missing_link: {
    meaning: 'The row has no link to the shop.',
    fix: 'Fill in the link with the address of the product in your shop.',
  },
  invalid_link: {
    meaning: 'The link is not an http or https address, or has a user name or password before its host.',
    fix: 'Write the whole address, starting with https://, without a user name or password.',
  },
  missing_price: {
    meaning: 'The row has no price.',
    fix: 'Fill in the price with its amount and the code of its currency.',
  },
  invalid_price: {
    meaning: 'A price is not a number above zero with the decimals its currency has.',
    fix: 'Write the price as a number above zero with the decimals of its currency, and then the code of the currency; write free shipping as zero with this code.',
  },
  ambiguous_price: {
    meaning: 'A price can be read in two ways, such as 1.299.',
    fix: 'Write prices with a decimal point, its decimals, and no thousands separator: 1299.00, not 1.299.',
  },
  missing_currency: {
    meaning: 'A price does not say its currency.',
    fix: 'Add the ISO 4217 code of the currency of this market to each price.',
  },
  other_currency: {
    meaning: 'A price is in another currency than the market, or in none that exists.',
    fix: 'State each price in the currency of this market.',
  },
  price_out_of_range: {
    meaning: 'A price is above 10^12 of the smallest units of its currency.',
    fix: 'Check the price: it is probably missing its decimal point, or is in the wrong field.',
  },
  invalid_sale_period: {
    meaning: 'The sale price effective date is not two points in time with a slash between, from the year 1 to 9999.',
    fix: 'Write the period as start/end, such as 2025-11-24T00:00+0100/2025-12-01T23:59+0100, or leave it out.',
  },
  missing_availability: {
    meaning: 'The row does not say whether the goods are available.',
    fix: 'Fill in the availability with in_stock, out_of_stock, preorder or backorder.',
  },
  unknown_availability: {
    meaning: 'The availability is none of the known words.',
    fix: 'Write in_stock, out_of_stock, preorder or backorder.',
  },
  unknown_condition: {
    meaning: 'The condition is none of the known words.',
    fix: 'Write new, refurbished or used, or leave the condition out for new goods.',
  },
  invalid_gtin: {
    meaning: 'The GTIN is malformed or its check digit is wrong.',
    fix: 'Copy all digits of the barcode (format the column as text in a spreadsheet), or leave the GTIN out.',
  },
  invalid_asin: {
    meaning: 'The ASIN is not ten letters and digits.',
    fix: 'Write the ten letters and digits of the ASIN, or leave it out.',
  },
  repeated_field: {
    meaning: 'A field that takes one value occurs with two different ones.',
    fix: 'State the field once, or with the same value each time.',
  },
  field_too_long: {
    meaning: 'A field is longer than its limit.',
    fix: 'Shorten the field to the length in the message.',
  },
  invalid_encoding: {
    meaning: 'The row holds characters that do not exist in the encoding of the feed.',
    fix: 'Export the feed as UTF-8, or declare the encoding in which it is written.',
  },
  ragged_row: {
    meaning: 'The row has more fields than the header.',
    fix: 'Put quotes around values that contain the separator, a quote or a line break, and double the quotes within them.',
  },
  not_an_object: {
    meaning: 'The line is JSON, but not an object.',
    fix: 'Write one JSON object on each line, such as {"id": "1", "title": "…"}.',
  },
  duplicate_id: {
    meaning: 'An earlier row of the same feed has the same id.',
    fix: 'Give each row an id of its own, and list each offer once.',
  },
  identifier_conflict: {
    meaning: 'The identifiers of the row belong to two different products.',
    fix: 'Check the GTIN, ASIN and MPN against the packaging: at least one of them belongs to another product.',
  },
  identifier_chain: {
    meaning: 'A chain of more than 100 rows, each sharing a GTIN, ASIN or MPN with the one before, leads to the row.',
    fix: 'Give each product GTINs, ASINs and MPNs of its own: many rows share them across different products.',
  },
  too_many_offers: {
    meaning: 'The shop already lists 20 other offers for the same product, the most that it may.',
    fix: 'List at most 20 offers for one product, and give different products different GTINs and MPNs.',
  },
} as const;

/** Why a row is rejected, in the rejects file and the summary. */
export type RejectReason = keyof typeof REASONS;

/** One sentence on each reason, and one that tells the shop how to fix its rows. */
export const REJECT_REASON: Readonly<Record<RejectReason, { meaning: string; fix: string }>> = REASONS;

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
