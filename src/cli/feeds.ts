/** `pda feeds`: schedules the feeds that the gateways pull by themselves. */
import type { Command } from 'commander';
import type { Config } from '../config.ts';
import { awaitRun } from '../feeds/await-run.ts';
import { editFeed, type FeedChange } from '../feeds/edit-feed.ts';
import type { FeedRecord, FeedRunRecord } from '../feeds/feed-record.ts';
import {
  addFeed,
  confirmFeed,
  type FeedWithRuns,
  listFeeds,
  pauseFeed,
  readFeed,
  removeFeed,
  renewReport,
  resumeFeed,
  runFeedSoon,
} from '../feeds/feeds.ts';
import type { ImportLimits } from '../import/import-request.ts';
import { counted } from '../values/counted.ts';
import { localAddressOf } from '../values/http-address.ts';
import { EXIT, UsageError } from './exit.ts';
import { DEFAULT, orDefault, orNull, rowsOption, sizeOption } from './limit-options.ts';
import { runCommand, runReading } from './run.ts';
import { session } from './session.ts';
import { examples, say, tableOf } from './terminal.ts';

interface JsonOption {
  json?: boolean;
}

interface AddOptions extends JsonOption, Partial<Pick<ImportLimits, 'maxBytes' | 'maxRows' | 'maxRejects'>> {
  merchant: string;
  every: string;
  delta?: boolean;
  header: string[];
  allowPrivate?: boolean;
  encoding?: string;
}

interface EditOptions extends JsonOption {
  url?: string;
  every?: string;
  delta?: boolean;
  header?: string[];
  /** `--no-headers`: commander sets it to true if the option is not given. */
  headers: boolean;
  allowPrivate?: boolean;
  encoding?: string;
  maxBytes?: number | typeof DEFAULT;
  maxRows?: number | typeof DEFAULT;
  maxRejects?: number | typeof DEFAULT;
}

export function addFeeds(feeds: Command): void {
  examples(feeds, 'pda feeds add https://shop.example/feed.xml --merchant "A Shop" --every 1h');

  const add = feeds
    .command('add <url>')
    .description('Schedule a feed. Its first pull is due at once.')
    .requiredOption('--merchant <shop>', 'name of the shop')
    .requiredOption('--every <time>', 'how often to pull it: 1m to 30d, such as 15m, 1h or 7d')
    .option('--delta', 'the feed only adds and changes offers; withdraw none')
    .option(
      '--header <header>',
      'send "Name: value" to the feed\'s own origin; repeatable, stored encrypted under SECRET_KEY, never shown again',
      (each: string, before: string[]) => [...before, each],
      [],
    )
    .option('--allow-private', 'also fetch from addresses that are not on the public internet, as in your own network')
    .option('--encoding <encoding>', "the feed's encoding, such as windows-1252, if the feed does not declare it")
    .addOption(
      sizeOption('--max-bytes', 'refuse a feed larger than this when unpacked (default: as for `pda import`)', 1),
    )
    .addOption(rowsOption('--max-rows', 'refuse a feed with more rows than this (default: as for `pda import`)', 1))
    .addOption(rowsOption('--max-rejects', 'keep at most this many rejected rows (default: as for `pda import`)', 0))
    .option('--json', 'print an object with its "id"')
    .action((url: string, { header, json, merchant, every, delta, allowPrivate, encoding, ...limits }: AddOptions) =>
      runCommand(async (database, config) => {
        const { maxBytes, maxRows, maxRejects } = limits;
        const given = {
          ...(maxBytes !== undefined && { maxBytes }),
          ...(maxRows !== undefined && { maxRows }),
          ...(maxRejects !== undefined && { maxRejects }),
        };
        const feed = {
          url,
          merchant,
          every,
          isDelta: delta ?? false,
          headers: header,
          allowPrivate: allowPrivate ?? false,
        };
        const { secretKey } = config;
        const added = await addFeed(database, { ...feed, encoding, limits: given }, { secretKey });
        const { id, report } = withReport(config, await readFeed(database, added.id));
        const text = `Added ${id}: a running server pulls it within seconds, and then every ${added.every}.\nReport for the shop: ${report}\n`;
        say(json, { ...added, report }, text);
      }),
    );
  examples(
    add,
    'pda feeds add https://shop.example/feed.xml --merchant "A Shop" --every 1h',
    'pda feeds add https://shop.example/f.csv --merchant "A Shop" --every 15m --delta --header "Authorization: Bearer abc"',
  );

  const edit = feeds
    .command('edit <id>')
    .description(
      'Change the settings of a feed. Those that are not given stay, and so do its shop, its runs and its report.',
    )
    .option('--url <url>', 'pull this address from now on')
    .option('--every <time>', 'how often to pull it: 1m to 30d, such as 15m, 1h or 7d')
    .option('--delta', 'the feed only adds and changes offers; withdraw none')
    .option('--no-delta', 'the feed lists all offers; withdraw those that are missing')
    .option(
      '--header <header>',
      'replace all headers of the feed by this "Name: value"; repeatable, stored encrypted under SECRET_KEY',
      (each: string, before: string[] = []) => [...before, each],
    )
    .option('--no-headers', 'send no headers of its own')
    .option('--allow-private', 'also fetch from addresses that are not on the public internet, as in your own network')
    .option('--no-allow-private', 'fetch from the public internet only')
    .option('--encoding <encoding>', `the feed's encoding, or "${DEFAULT}" for the one that it declares`)
    .addOption(orDefault(sizeOption('--max-bytes', `refuse a feed larger than this when unpacked, or "${DEFAULT}"`, 1)))
    .addOption(orDefault(rowsOption('--max-rows', `refuse a feed with more rows than this, or "${DEFAULT}"`, 1)))
    .addOption(orDefault(rowsOption('--max-rejects', `keep at most this many rejected rows, or "${DEFAULT}"`, 0)))
    .option('--json', 'print an object')
    .action((id: string, options: EditOptions) =>
      runCommand(async (database, { secretKey }) => {
        const feed = await editFeed(database, id, changeOf(options), { secretKey });
        say(
          options.json,
          feed,
          `Changed ${feed.id}: \`pda feeds show ${feed.id}\` shows its settings and its next pull.\n`,
        );
      }),
    );
  examples(
    edit,
    'pda feeds edit fed_1 --every 15m',
    'pda feeds edit fed_1 --url https://shop.example/new.xml --header "Authorization: Bearer abc"',
    'pda feeds edit fed_1 --no-delta --max-rows default',
  );

  const list = feeds
    .command('list')
    .description('List all feeds with their state.')
    .option('--json', 'print a list')
    .action(({ json }: JsonOption) =>
      runReading(async (database) => {
        const records = await listFeeds(database);
        say(
          json,
          records,
          tableOf(['id', 'shop', 'url', 'every', 'state', 'next pull', 'last pull'], records.map(rowOf)),
        );
      }),
    );
  examples(list, 'pda feeds list --json');

  const show = feeds
    .command('show <id>')
    .description('Show a feed with the address of its report for the shop, and its last runs.')
    .option('--new-report-url', 'give the report a new address first; the old one stops working')
    .option('--json', 'print an object with its "report" and "runs"')
    .action((id: string, { newReportUrl, json }: JsonOption & { newReportUrl?: boolean }) =>
      (newReportUrl ? runCommand : runReading)(async (database, config) => {
        if (newReportUrl) await renewReport(database, id);
        sayFeed(json, withReport(config, await readFeed(database, id)));
      }),
    );
  examples(show, 'pda feeds show fed_1');

  for (const [name, work, description] of [
    ['pause', pauseFeed, 'Stop pulling a feed. A run in progress ends as usual.'],
    ['resume', resumeFeed, 'Pull a paused feed again.'],
    ['remove', removeFeed, 'Remove a feed with its runs. The shop and its offers stay.'],
  ] as const) {
    const command = feeds
      .command(`${name} <id>`)
      .description(description)
      .option('--json', 'print an object')
      .action((id: string, { json }: JsonOption) =>
        runCommand(async (database) => {
          const feed = await work(database, id);
          const done = { pause: 'Paused', resume: 'Resumed', remove: 'Removed' }[name];
          say(json, feed, `${done} ${feed.id}, ${feed.url}.\n`);
        }),
      );
    examples(command, `pda feeds ${name} fed_1`);
  }

  const run = feeds
    .command('run <id>')
    .description('Pull a feed now. A running server does it within seconds.')
    .option(
      '--confirm',
      "allow this run to withdraw more than half of the shop's offers, after the feed was refused for that",
    )
    .option('--wait', 'wait for the outcome')
    .option('--json', 'print an object: the feed or, with --wait, the run')
    .action((id: string, { confirm, wait, json }: JsonOption & { confirm?: boolean; wait?: boolean }) =>
      runCommand(async (database) => {
        const start = () => (confirm ? confirmFeed : runFeedSoon)(database, id);
        if (wait) return sayOutcome(json, await awaitRun(database, id, start));
        const feed = await start();
        say(
          json,
          feed,
          `A running server pulls ${feed.id} within seconds: \`pda feeds show ${feed.id}\` shows its outcome.\n`,
        );
      }),
    );
  examples(run, 'pda feeds run fed_1 --wait', 'pda feeds run fed_1 --confirm');
}

/** @throws {UsageError} if nothing is to change. */
function changeOf({
  json: _,
  headers,
  header,
  encoding,
  maxBytes,
  maxRows,
  maxRejects,
  ...options
}: EditOptions): FeedChange {
  if (header && !headers) throw new UsageError('--header and --no-headers contradict each other. Give one of them.');
  const { url, every, delta, allowPrivate } = options;
  const change: FeedChange = {
    url,
    every,
    isDelta: delta,
    headers: headers ? header : [],
    allowPrivate,
    encoding: orNull<string>(encoding),
  };
  const limits = { maxBytes: orNull(maxBytes), maxRows: orNull(maxRows), maxRejects: orNull(maxRejects) };
  if ([...Object.values(change), ...Object.values(limits)].every((value) => value === undefined)) {
    throw new UsageError('Nothing to change. Give at least one setting: `pda feeds edit --help` lists them.');
  }
  return { ...change, limits };
}

/** The feed with the absolute address of its report. */
function withReport({ publicUrl, host, port }: Config, { reportPath, ...feed }: FeedWithRuns) {
  return { ...feed, report: `${publicUrl ?? localAddressOf(host, port)}${reportPath}` };
}

function rowOf({ id, merchant, url, every, state, nextRunAt, lastRun }: FeedRecord): string[] {
  return [id, merchant, url, every, state, nextRunAt?.toISOString() ?? '', lastRun ? inWords(lastRun) : ''];
}

function inWords({ startedAt, outcome, message, imported }: FeedRunRecord): string {
  const at = startedAt.toISOString();
  if (outcome === undefined) return `${at}: running`;
  if (message !== undefined) return `${at}: ${outcome}. ${message}`;
  if (outcome !== 'imported' || !imported) return `${at}: ${outcome}`;
  const { read, new: added, changed, withdrawn, rejected } = imported;
  return `${at}: ${counted(read, 'row')}, ${added} new, ${changed} changed, ${withdrawn} withdrawn, ${rejected} rejected`;
}

function sayFeed(json: boolean | undefined, feed: ReturnType<typeof withReport>): void {
  const { runs, lastRun: _, ...fields } = feed;
  const rows = Object.entries(fields)
    .map(([name, value]) => [name, textOf(value)])
    .filter(([, text]) => text !== '');
  say(
    json,
    feed,
    `${tableOf([], rows)}${tableOf(
      ['runs'],
      runs.map((each) => [inWords(each)]),
    )}`,
  );
}

/** A setting in words; empty if there is nothing to say, such as of a feed without headers. */
function textOf(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.join(', ');
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.entries(value)
    .map(([name, each]) => `${name} ${each}`)
    .join(', ');
}

function sayOutcome(json: boolean | undefined, run: FeedRunRecord): void {
  say(json, run, `${inWords(run)}\n`);
  if (run.outcome === 'refused' || run.outcome === 'broken') session().status = EXIT.feed;
  else if (run.outcome !== 'imported' && run.outcome !== 'unchanged') session().status = EXIT.fault;
}
