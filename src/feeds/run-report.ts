/** What one run of a feed read, accepted and rejected: the type of `feed_run.report`, which the report for the shop shows. */
import * as z from 'zod';

/** The most examples of a reason that a report has. */
export const MOST_EXAMPLES = 20;

const count = z.int().nonnegative();

const example = z.object({
  /** The line of the feed on which the row starts, from 1. */
  line: z.int(),
  /** The row's own id, if it has one. */
  id: z.string().optional(),
  /** One sentence that names the field and the start of its value. */
  detail: z.string(),
});

const offers = z.object({
  listed: count,
  /** Offers whose total is the lowest of all shops for the product. */
  cheapest: count,
  /** Offers of products that no other shop lists; they are among the cheapest only for that. */
  alone: count,
  countedAt: z.iso.datetime(),
});

/** The form of a report in the database. Members that later versions add are ignored. */
export const runReportSchema = z.object({
  /** Rows read: all of the feed, or those before an error. */
  read: count,
  accepted: count,
  rejected: count,
  /** Rejected rows by reason, the most frequent first. The words are a `RejectReason`, possibly of a later version. */
  reasons: z.array(z.object({ reason: z.string(), rows: count, examples: z.array(example).max(MOST_EXAMPLES) })),
  /** Accepted rows that state a value. */
  coverage: z.object({ gtin: count, brand: count, picture: count, category: count }),
  /** The shop's offers after the import; added once they are counted, and absent if nothing was imported. */
  offers: offers.optional(),
});

export type RunReport = z.infer<typeof runReportSchema>;
export type RejectedExample = z.infer<typeof example>;

/** Reads a report from the database; `undefined` if there is none, or a later version wrote one that this version cannot read. */
export function readRunReport(stored: unknown): RunReport | undefined {
  return runReportSchema.safeParse(stored).data;
}

/** Reads the counted offers of a report; `undefined` as for {@link readRunReport}. */
export const readOffers = (stored: unknown): RunReport['offers'] => offers.safeParse(stored).data;
