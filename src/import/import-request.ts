/** The request and the report of an import. */
import type { Queryable } from '../database/database.ts';
import type { ImportObserver } from './import-observer.ts';
import type { ProductField } from './product-field.ts';
import type { ByteStream } from './readers/web-source.ts';

export interface ImportRequest {
  /** A file's path, `-` for standard input, an `http(s)` URL, or a function that reads bytes that were fetched before, each time from the start. */
  feed: string | (() => ByteStream);
  /** The shop's name; an unknown shop is added. */
  merchant: string;
  merchantUrl?: string | undefined;
  /** `full` replaces the shop's offers; `delta` only adds and changes. */
  mode: 'full' | 'delta';
  /** Allows the feed to withdraw more than half of the shop's offers. */
  isForced?: boolean;
  /** Does everything and rolls it back at the end. */
  isDryRun?: boolean;
  /** The time of the feed's prices. */
  observedAt: Date;
  rejectsFile?: string;
  /** Allows addresses that are not on the public internet. */
  isPrivateAllowed?: boolean;
  /** The feed's encoding, if the feed does not state it or states a wrong one. */
  encoding?: string | undefined;
  /** The import's limits; {@link DEFAULT_LIMITS} for those that are absent. */
  limits?: Partial<ImportLimits>;
  /** Recognises rows that have not changed since the last import, by default; false treats all rows alike. */
  isRecognising?: boolean;
  /** The product fields to take from the feed; all of `product-fields.ts` by default. */
  productFields?: readonly ProductField[];
  /** Is told of each row that is accepted or rejected. */
  observer?: ImportObserver | undefined;
  /** Holds up requests on the same cores less: reading rests for about as long as it works. False by default. */
  isInBackground?: boolean;
  /** Ends an import while it reads the feed. */
  signal?: AbortSignal | undefined;
  /** Called in the import's transaction, as its last step. If it throws, nothing is imported. */
  onRecorded?: (transaction: Queryable, recorded: RecordedImport) => Promise<void>;
}

/** An import that is about to be committed. */
export interface RecordedImport {
  /** Its number (`import_run`). */
  runId: bigint;
  merchantId: bigint;
  summary: ImportSummary;
  /** The next moment at which the same rows state other prices, because a sale begins or ends. */
  pricesChangeAt: Date | undefined;
}

/** The caller gave the import up, such as a scheduled run that another process took over: it has not failed. */
export class ImportGivenUp extends Error {
  override name = 'ImportGivenUp';
}

/** What the import of a file read and did. */
export interface FileSummary {
  read: number;
  new: number;
  changed: number;
  same: number;
}

/** `read` counts rows; `new`, `changed`, `same` and `withdrawn` count offers. */
export interface ImportSummary extends FileSummary {
  withdrawn: number;
  /** Rows rejected, in total and by reason. */
  rejected: number;
  reasons: Record<string, number>;
  /** Rejected rows that are not in the rejects file because it is full. */
  rejectsNotWritten: number;
  /** GTINs and ASINs that moved to another product, because enough shops place them there; absent when none did. */
  identifiersMoved?: number;
}

export interface ImportProgress {
  phase: 'reading' | 'writing';
  rows: number;
  bytes: number;
  /** The feed's size, if known. */
  totalBytes?: number | undefined;
}

/** An import that has started. */
export interface StartedImport extends ImportRequest {
  startedAt: Date;
  limits: ImportLimits;
}

/** The limits of one import. An operator raises a limit for a shop that needs more. */
export interface ImportLimits {
  /** The most bytes of the feed after unpacking; a larger feed is refused. */
  maxBytes: number;
  /** The most rows; a feed with more is refused. */
  maxRows: number;
  /** The most rows in the rejects file; further rejected rows are only counted. */
  maxRejects: number;
  /** The least free space on the disk of the database, if it is on this machine, and, up to what it may take, of the rejects file. 0 checks nothing. */
  minFreeBytes: number;
}

// Feeds have up to 1.5 KiB per row, so 2 GiB hold more than a million. Nobody reads more than ten thousand rejected rows.
export const DEFAULT_LIMITS: Readonly<ImportLimits> = {
  maxBytes: 2 * 1024 ** 3,
  maxRows: 5_000_000,
  maxRejects: 10_000,
  minFreeBytes: 512 * 1024 ** 2,
};

/** The highest `maxRows`: rows are numbered in a column of four bytes. */
export const MOST_ROWS = 2 ** 31 - 1;
