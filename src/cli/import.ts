/** `pda import`: imports a shop's feed into the catalogue. */
import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Command } from 'commander';
import { type Config, marketOf } from '../config.ts';
import type { Database } from '../database/database.ts';
import { observed } from '../database/observed.ts';
import { importFeed } from '../import/import-feed.ts';
import { DEFAULT_LIMITS, type ImportLimits, type ImportSummary } from '../import/import-request.ts';
import { openLog } from '../operations/log.ts';
import { openTracing } from '../operations/open-tracing.ts';
import { counted } from '../values/counted.ts';
import { printable } from '../values/printable.ts';
import { slugOf } from '../values/slug.ts';
import { UsageError } from './exit.ts';
import { rowsOption, sizeOption } from './limit-options.ts';
import { readMoment } from './moment.ts';
import { runCommand } from './run.ts';
import { session } from './session.ts';
import { examples, openProgress, say } from './terminal.ts';

interface ImportOptions extends Omit<ImportLimits, 'minFreeBytes'> {
  merchant: string;
  merchantUrl?: string;
  delta?: boolean;
  force?: boolean;
  dryRun?: boolean;
  allowPrivate?: boolean;
  observedAt?: Date;
  rejects?: string;
  encoding?: string;
  minFree: number;
  json?: boolean;
}

export function addImport(command: Command): void {
  command
    .argument('<feed>')
    .requiredOption('--merchant <shop>', 'name of the shop', readMerchant)
    .option('--merchant-url <url>', "address of the shop's website", readUrl)
    .option('--delta', 'only add and change offers; withdraw none')
    .option('--force', "allow the feed to withdraw more than half of the shop's offers")
    .option('--dry-run', 'report the result without changing anything')
    .option('--observed-at <time>', 'time of the feed, to backfill from an archive; now by default', readObservedAt)
    .option('--rejects <file>', 'file for rejected rows; <merchant>.rejects.jsonl in the current folder by default')
    .option('--allow-private', 'also fetch from addresses that are not on the public internet, as in your own network')
    .option('--encoding <encoding>', "the feed's encoding, such as windows-1252, if the feed does not declare it")
    .addOption(sizeOption('--max-bytes', 'refuse a feed larger than this when unpacked', 1, DEFAULT_LIMITS.maxBytes))
    .addOption(rowsOption('--max-rows', 'refuse a feed with more rows than this', 1, DEFAULT_LIMITS.maxRows))
    .addOption(rowsOption('--max-rejects', WRITE_AT_MOST, 0, DEFAULT_LIMITS.maxRejects))
    .addOption(sizeOption('--min-free', STOP_IF_LESS, 0, DEFAULT_LIMITS.minFreeBytes))
    .option(
      '--json',
      'print {"read","new","changed","same","withdrawn","rejected","reasons","rejectsNotWritten","identifiersMoved"}',
    )
    .action((feed: string, options: ImportOptions) =>
      runCommand((database, config) => runImport(database, config, feed, options), {
        isReading: options.dryRun ?? false,
      }),
    );
  examples(
    command,
    'pda import https://shop.example/feed.xml --merchant "A Shop"',
    'zcat archive.tsv.gz | pda import - --merchant "A Shop" --observed-at 2030-01-31',
  );
}

async function runImport(database: Database, config: Config, feed: string, options: ImportOptions): Promise<void> {
  const { merchant, dryRun: isDryRun = false, maxBytes, maxRows, maxRejects, minFree: minFreeBytes } = options;
  const rejectsFile = options.rejects ?? `${slugOf(merchant, 'merchant')}.rejects.jsonl`;
  checkRejectsFile(rejectsFile, feed);
  const progress = openProgress('Importing');
  const tracing = await openTracing(config.traces, openLog(config.logLevel));
  try {
    const begin = () =>
      importFeed(
        tracing ? observed(database, { observe: () => {}, trace: tracing.statement }) : database,
        marketOf(config),
        {
          feed: feed === '-' ? () => ({ bytes: session().stdin }) : feed,
          merchant,
          merchantUrl: options.merchantUrl,
          mode: options.delta ? 'delta' : 'full',
          isForced: options.force ?? false,
          isDryRun,
          isPrivateAllowed: options.allowPrivate ?? false,
          observedAt: options.observedAt ?? new Date(),
          rejectsFile,
          limits: { maxBytes, maxRows, maxRejects, minFreeBytes },
          encoding: options.encoding,
        },
        ({ phase, rows, bytes, totalBytes }) => {
          const share = totalBytes === undefined ? undefined : bytes / Math.max(totalBytes, 1);
          if (phase === 'reading') progress.update(share, `${counted(rows, 'row')} read`);
          else progress.update(1, `${counted(rows, 'row')} being written`);
        },
      );
    const summary = await (tracing ? tracing.root('import', { 'pda.merchant': merchant }, begin) : begin());
    progress.end();
    say(options.json, summary, describe(summary, printable(rejectsFile), isDryRun));
  } finally {
    progress.end();
    await tracing?.close();
  }
}

function describe(summary: ImportSummary, rejectsFile: string, isDryRun: boolean): string {
  const { read, changed, same, withdrawn, rejected, reasons, rejectsNotWritten, identifiersMoved = 0 } = summary;
  const lines = [
    `${isDryRun ? 'Dry run, nothing was changed. ' : ''}${counted(read, 'row')} read`,
    `Offers: ${summary.new} new, ${changed} changed, ${same} unchanged, ${withdrawn} withdrawn`,
  ];
  if (rejected > 0) {
    const counts = Object.entries(reasons).map(([reason, count]) => `${count} ${reason}`);
    const listed = rejected - rejectsNotWritten;
    let where = `${listed} of them listed in ${rejectsFile}, ${rejectsNotWritten} not written (--max-rejects)`;
    if (rejectsNotWritten === 0) where = `listed in ${rejectsFile}`;
    if (listed === 0) where = 'none written (--max-rejects)';
    lines.push(`Rejected: ${counted(rejected, 'row')} (${counts.join(', ')}), ${where}`);
  }
  if (identifiersMoved > 0) {
    const moved = counted(identifiersMoved, 'identifier');
    lines.push(`Disputes: ${moved} moved to another product (see \`pda audit\`)`);
  }
  return `${lines.join('\n')}\n`;
}

const WRITE_AT_MOST = 'write at most this many rejected rows, and only count the others';
const STOP_IF_LESS = "stop if less than this would stay free on the embedded database's disk; 0 disables the check";

function readMerchant(text: string): string {
  const name = text.trim();
  if (name === '' || name.length > 200)
    throw new UsageError('--merchant must be the name of the shop, 1 to 200 characters.');
  return name;
}

function readUrl(text: string): string {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) throw new UsageError(`${text} is not an http(s) URL.`);
  return text;
}

/** Checks the rejects file before the import, since it is opened only at the first rejected row. */
function checkRejectsFile(file: string, feed: string): void {
  if (resolve(file) === resolve(feed)) {
    throw new UsageError(`--rejects ${file} is the feed itself. Choose another file for the rejected rows.`);
  }
  if (!statSync(dirname(resolve(file)), { throwIfNoEntry: false })?.isDirectory()) {
    throw new UsageError(`The folder of --rejects ${file} does not exist. Create it first.`);
  }
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory()) {
    throw new UsageError(`--rejects ${file} is a folder. Choose a file in it.`);
  }
}

function readObservedAt(text: string): Date {
  const moment = readMoment(text);
  if (moment.getTime() > Date.now())
    throw new UsageError(`--observed-at ${text} is in the future. Give the time at which the feed was written.`);
  return moment;
}
