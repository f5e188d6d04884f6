/** The tree of all `pda` commands, used for running and for help. */
import { Command } from 'commander';
import { packageVersion } from '../package-root.ts';
import { session } from './session.ts';
import { colours, examples, hasColours } from './terminal.ts';

interface Entry {
  /** The name and what follows it, as the list of all commands shows them. */
  term: string;
  description: string;
  /** Loads the function that defines arguments, options, subcommands and actions. */
  load(): Promise<(command: Command) => void>;
}

// What a command imports takes longer to load than most commands take to run, so only the commands that are called are loaded.
const ENTRIES: readonly Entry[] = [
  {
    term: 'keys',
    description: 'Create, show, change and revoke API keys.',
    load: async () => (await import('./keys.ts')).addKeys,
  },
  {
    term: 'usage [options] [key]',
    description: 'Show the usage of all keys in a month (UTC), or of one key by day.',
    load: async () => (await import('./usage.ts')).addUsage,
  },
  {
    term: 'webhooks',
    description: 'Show, create, change and test webhooks of all keys.',
    load: async () => (await import('./webhooks.ts')).addWebhooks,
  },
  {
    term: 'console [options]',
    description: 'Print a link to the console. It opens the console in one browser, within ten minutes.',
    load: async () => (await import('./console.ts')).addConsole,
  },
  {
    term: 'audit [options]',
    description:
      'Show the newest thousand audit log entries: changes to keys, feeds and identifiers, with actor and time (UTC).',
    load: async () => (await import('./audit.ts')).addAudit,
  },
  {
    term: 'clicks [options]',
    description: "Show the clicks on each shop's links, by day (UTC). Covers the last 30 days by default.",
    load: async () => (await import('./clicks.ts')).addClicks,
  },
  {
    term: 'import [options] <feed>',
    description: "Import a shop's feed from a file, an http(s) URL, or standard input (-).",
    load: async () => (await import('./import.ts')).addImport,
  },
  {
    term: 'feeds',
    description: 'Schedule feeds, which running servers pull by themselves.',
    load: async () => (await import('./feeds.ts')).addFeeds,
  },
  {
    term: 'export [options] <kind>',
    description: 'Write all products, current offers, or the recorded price history to a file or to standard output.',
    load: async () => (await import('./export/export.ts')).addExport,
  },
  {
    term: 'identifiers',
    description: 'Show which shops contributed the identifiers and fields of products, and detach identifiers.',
    load: async () => (await import('./identifiers.ts')).addIdentifiers,
  },
  {
    term: 'taxonomy [options] <file>',
    description: "Import Google's product taxonomy file (with ids) as the category tree.",
    load: async () => (await import('./articles.ts')).addTaxonomy,
  },
  {
    term: 'articles [options] <dir>',
    description: 'Import articles from the *.md files of a folder (Markdown with YAML front matter).',
    load: async () => (await import('./articles.ts')).addArticles,
  },
  {
    term: 'synonyms [options] [file]',
    description: 'Replace the synonyms of searches with those of a file: equal terms with commas between on each line.',
    load: async () => (await import('./synonyms.ts')).addSynonyms,
  },
  {
    term: 'migrate [options]',
    description: 'Apply missing migrations. The server also does this when it starts.',
    load: async () => (await import('./migrate.ts')).addMigrate,
  },
  {
    term: 'backup [options] <file>',
    description:
      'Write all data to a file, as of one moment, also while the server runs. For a PostgreSQL server of your own, see pg_dump.',
    load: async () => (await import('./backup.ts')).addBackup,
  },
  {
    term: 'restore [options] <file>',
    description:
      'Load the file of a backup into a database without data. A file of an older version is brought up to date.',
    load: async () => (await import('./backup.ts')).addRestore,
  },
  {
    term: 'move [options]',
    description: 'Copy all data to an empty PostgreSQL database, and leave the source as it is. Stop the server first.',
    load: async () => (await import('./move.ts')).addMove,
  },
  {
    term: 'seal [options]',
    description:
      'Seal the secrets of webhooks and reports, and the addresses of feeds with a query, in the database under SECRET_KEY, after it was set or changed.',
    load: async () => (await import('./seal.ts')).addSeal,
  },
  {
    term: 'distribute [options]',
    description:
      'Distribute the ledger and the clicks over the workers of a Citus cluster, by product. Run it on the coordinator, also while the service runs; imports wait for it.',
    load: async () => (await import('./distribute.ts')).addDistribute,
  },
  {
    term: 'roles [options]',
    description:
      'Print the SQL that gives PostgreSQL roles for the server, imports and keys only the rights each needs. Run again after each upgrade.',
    load: async () => (await import('./roles.ts')).addRoles,
  },
  {
    term: 'demo [options]',
    description: 'Import the demo catalogue into the configured database, and create one key for each plan.',
    load: async () => (await import('./demo.ts')).addDemo,
  },
  {
    term: 'doctor [options]',
    description: 'Check configuration, machine, database, replicas and Redis, and suggest a fix for each problem.',
    load: async () => (await import('./doctor.ts')).addDoctor,
  },
];

/**
 * Creates the tree of commands. Parsing throws a {@link CommanderError} instead of ending the process.
 *
 * @param words of the command line. Commands that they do not name are only listed, without their own options; by default, all are complete.
 */
export async function createProgram(words?: readonly string[]): Promise<Command> {
  const program = new Command('pda')
    .description(
      'Operate the Product Data API: keys, usage, imports, feeds and more. Works whether or not the server runs.',
    )
    .version(packageVersion())
    .showHelpAfterError('(add --help for usage)')
    .configureHelp({ styleTitle: colours().bold })
    .configureOutput({
      writeOut: (text) => void session().stdout.write(text),
      writeErr: (text) => void session().stderr.write(text),
      getOutHasColors: () => hasColours(session().stdout, session().environment),
      getErrHasColors: () => hasColours(session().stderr, session().environment),
    })
    .exitOverride();
  examples(
    program,
    'pda import feed.xml --merchant "A Shop"',
    'pda keys create --name "A client" --plan starter',
    'pda usage',
  );
  program.addHelpText(
    'after',
    `
Exit status: 0 success; 1 unexpected error, or the doctor found a problem; 2 invalid command line or configuration; 3 the feed or file is
broken or refused, and nothing was changed; 4 no such key, webhook, feed, shop, product or
identifier; 5 the database cannot be used.
The database is set by DATABASE_URL or DATA_DIR, as for the server.`,
  );
  for (const { term, description, load } of ENTRIES) {
    const [name = ''] = term.split(' ');
    const isCalled = words?.includes(name) ?? true;
    const command = program.command(isCalled ? name : term).description(description);
    if (isCalled) (await load())(command);
  }
  return program;
}
