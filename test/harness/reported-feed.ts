/** A feed with runs, as a gateway leaves them behind, for tests of the report to its shop. */
import { randomBytes } from 'node:crypto';
import type { Database } from '../../src/database/database.ts';
import { openReportCollector } from '../../src/feeds/collect-report.ts';
import { countCheapest } from '../../src/feeds/count-cheapest.ts';
import { type FeedRowFields, type ImportOptions, importRows } from './gateway.ts';

export interface ReportedFeed {
  id: bigint;
  token: string;
  /** The address of the report. */
  path: string;
  /** Imports rows as a run of the feed, which may fail. */
  run(rows: readonly FeedRowFields[], options?: ImportOptions): Promise<void>;
  /** Adds a run that read nothing. */
  addRun(outcome: string, message?: string): Promise<void>;
}

/** Adds a feed. @param columns values of other columns of the table `feed`. */
export async function addReportedFeed(
  database: Database,
  merchant: string,
  columns: Record<string, unknown> = {},
): Promise<ReportedFeed> {
  const token = randomBytes(32).toString('base64url');
  const values = {
    merchant,
    url: 'https://user:pass@feeds.example/secret-path/feed.xml?key=secret-value',
    host: 'feeds.example',
    every_seconds: 3_600,
    report_token: token,
    ...columns,
  };
  const places = Object.keys(values).map((_, index) => `$${index + 1}`);
  const [feed] = await database.query<{ id: bigint }>(
    `INSERT INTO feed (${Object.keys(values).join(', ')}) VALUES (${places.join(', ')}) RETURNING id`,
    Object.values(values),
  );
  const id = feed?.id ?? 0n;

  const record = async (outcome: string, message: string | null, report: unknown = null) => {
    await database.query(
      `INSERT INTO feed_run (feed_id, started_at, finished_at, outcome, message, import_run_id, report)
       VALUES ($1, now() - INTERVAL '1 minute', now(), $2::text::feed_outcome, $3,
               CASE WHEN $2::text = 'imported' THEN (SELECT max(id) FROM import_run) END, $4::jsonb)`,
      [id, outcome, message, report === null ? null : JSON.stringify(report)],
    );
  };

  return {
    id,
    token,
    path: `/feeds/${token}`,
    async run(rows, options) {
      const collector = openReportCollector();
      const error = await importRows(database, merchant, rows, { ...options, observer: collector.observer }).then(
        () => undefined,
        (thrown: Error) => thrown,
      );
      const [shop] = await database.query<{ id: bigint }>('SELECT id FROM merchant WHERE name = $1', [merchant]);
      const report = collector.report();
      if (error || !shop) return record('refused', error?.message ?? null, report);
      await database.query('UPDATE feed SET merchant_id = $2, last_success_at = now() WHERE id = $1', [id, shop.id]);
      await record('imported', null, { ...report, offers: await countCheapest(database, shop.id) });
    },
    addRun: (outcome, message) => record(outcome, message ?? null),
  };
}
