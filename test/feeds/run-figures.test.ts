/** The figures of an import for the report to its shop: always those of the rejects file. */
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openReportCollector } from '../../src/feeds/collect-report.ts';
import { MOST_EXAMPLES, type RunReport, runReportSchema } from '../../src/feeds/run-report.ts';
import { importFeed } from '../../src/import/import-feed.ts';
import type { ImportRequest, ImportSummary } from '../../src/import/import-request.ts';
import { BrokenFeed } from '../../src/import/reject.ts';
import { openTestDatabase } from '../harness/database.ts';
import { type FeedRowFields, feedRow, importRows } from '../harness/gateway.ts';
import { forFile } from '../harness/lifetime.ts';
import { describeShared } from '../harness/shared-data.ts';

interface RejectedRow {
  line: number;
  id?: string;
  reason: string;
  detail: string;
}

interface Observed {
  report: RunReport;
  summary?: ImportSummary;
  error?: unknown;
  /** The rows in the rejects file. */
  rejects: RejectedRow[];
}

const database = await forFile(openTestDatabase());

/** Imports with a rejects file and with a collector. */
async function observe(run: (extra: Partial<ImportRequest>) => Promise<ImportSummary>): Promise<Observed> {
  const rejectsFile = join(tmpdir(), `pda-rejects-${randomBytes(8).toString('hex')}.jsonl`);
  const collector = openReportCollector();
  const outcome = await run({ rejectsFile, observer: collector.observer }).then(
    (summary) => ({ summary }),
    (error: unknown) => ({ error }),
  );
  // As the database keeps it, which takes no NUL and no half of a surrogate pair.
  const [row] = await database.query<{ report: unknown }>('SELECT $1::jsonb AS report', [
    JSON.stringify(collector.report()),
  ]);
  const lines = existsSync(rejectsFile) ? readFileSync(rejectsFile, 'utf8').trimEnd().split('\n') : [];
  return { ...outcome, report: runReportSchema.parse(row?.report), rejects: lines.map((line) => JSON.parse(line)) };
}

const observeRows = (merchant: string, rows: readonly FeedRowFields[], options: Partial<ImportRequest> = {}) =>
  observe((extra) => importRows(database, merchant, rows, { ...options, ...extra }));

function countByReason(rejects: readonly RejectedRow[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { reason } of rejects) counts[reason] = (counts[reason] ?? 0) + 1;
  return counts;
}

function expectSame({ report, rejects, summary }: Observed): void {
  expect(Object.fromEntries(report.reasons.map(({ reason, rows }) => [reason, rows]))).toEqual(countByReason(rejects));
  expect(report.rejected).toBe(rejects.length);
  expect(report.read).toBe(report.accepted + report.rejected);
  for (const { reason, rows, examples } of report.reasons) {
    const written = rejects.filter((row) => row.reason === reason).slice(0, MOST_EXAMPLES);
    expect(examples).toHaveLength(Math.min(rows, MOST_EXAMPLES));
    expect(examples.map(({ line, id }) => [line, id])).toEqual(written.map(({ line, id }) => [line, id]));
  }
  if (!summary) return;
  const { read, rejected, reasons } = summary;
  expect(report).toMatchObject({ read, rejected, accepted: read - rejected });
  expect(reasons).toEqual(countByReason(rejects));
}

describeShared('the report on a damaged feed', (pathOf) => {
  test.each(readdirSync(pathOf('feeds/broken')))('%s has the counts of the rejects file', async (name) => {
    const feed = pathOf(`feeds/broken/${name}`);
    const market = { currency: 'EUR', country: 'PT' };
    const observed = await observe((extra) =>
      importFeed(database, market, { feed, merchant: name, mode: 'full', observedAt: new Date(), ...extra }),
    );
    if (observed.error !== undefined) expect(observed.error).toBeInstanceOf(BrokenFeed);
    expectSame(observed);
  });
});

describe('the figures of a run', () => {
  test('include rows that matching rejects, and leave what these state out of the coverage', async () => {
    const [one, other] = ['4006381333948', '4006381333955'];
    await importRows(database, 'First', [
      feedRow({ id: '1', gtin: one, asin: 'B0DEMO0001' }),
      feedRow({ id: '2', gtin: other, asin: 'B0DEMO0002' }),
    ]);
    const observed = await observeRows('Matched', [
      feedRow({ id: 'conflict', gtin: one, asin: 'B0DEMO0002', brand: 'Ada' }),
      feedRow({ id: 'twice', gtin: one, brand: 'Ada' }),
      feedRow({ id: 'twice', gtin: other, brand: 'Ada' }),
      ...Array.from({ length: 22 }, (_, index) => feedRow({ id: `crowd${index}`, gtin: '4006381333962' })),
    ]);
    expectSame(observed);
    expect(observed.report.reasons.map(({ reason, rows }) => [reason, rows]).sort()).toEqual([
      ['duplicate_id', 1],
      ['identifier_conflict', 1],
      ['too_many_offers', 2],
    ]);
    expect(observed.report.coverage).toEqual({ gtin: 21, brand: 1, picture: 0, category: 0 });
  });

  test('count rows for which the rejects file has no room, and keep twenty examples of each reason', async () => {
    const bad = (count: number, fields: FeedRowFields) =>
      Array.from({ length: count }, (_, index) => feedRow({ id: `${Object.keys(fields)}${index}`, ...fields }));
    const rows = [...bad(30, { price: 'free' }), ...bad(3, { availability: 'perhaps' }), ...bad(25, { link: 'x' })];
    const { report, rejects } = await observeRows('Bad', rows, { limits: { maxRejects: 5 } });
    expect(rejects).toHaveLength(5);
    expect(report).toMatchObject({ read: 58, accepted: 0, rejected: 58 });
    expect(report.reasons.map(({ reason, rows, examples }) => [reason, rows, examples.length])).toEqual([
      ['invalid_price', 30, 20],
      ['invalid_link', 25, 20],
      ['unknown_availability', 3, 3],
    ]);
  });

  test('stay small and can be stored, whatever a feed contains', async () => {
    const { report } = await observeRows('Hostile', [
      feedRow({ id: `\u202e${'x'.repeat(125)}\ud800${'y'.repeat(500)}`, title: 'z'.repeat(2_000) }),
      feedRow({ id: '\u0007\u200f', availability: '\u202egnp.exe'.padEnd(5_000, '\u2066') }),
      feedRow({ id: 'emoji', availability: '😀'.repeat(100) }),
    ]);
    const examples = report.reasons.flatMap((reason) => reason.examples);
    expect(examples).toHaveLength(3);
    for (const { id = '', detail } of examples) {
      expect(id.length).toBeLessThanOrEqual(129);
      expect(detail.length).toBeLessThanOrEqual(241);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern searches for control characters.
      expect(id + detail).not.toMatch(/[\u0000-\u001f\u202e\u2066\u200f]|\p{Cs}/u);
    }
  });
});
