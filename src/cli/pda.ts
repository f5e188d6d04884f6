/** `pda`, the operator's command line. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command, CommanderError } from 'commander';
import { z } from 'zod';
import { packageRoot } from '../package-root.ts';
import { addArticles } from './articles.ts';
import { addDemo } from './demo.ts';
import { examples } from './examples.ts';
import { addImport, addTaxonomy } from './import.ts';
import { addKeys } from './keys.ts';
import { addMigrate } from './migrate.ts';
import { EXIT, UsageError } from './run.ts';
import { addUsage } from './usage.ts';

const { version } = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')));

const program = new Command('pda')
  .description('Operate the Product Data API: keys, usage, imports. Also works while the server runs.')
  .version(version)
  .showHelpAfterError('(add --help for what there is)')
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
Exit status: 0 done; 1 unexpected fault; 2 wrong words or configuration; 3 the feed is broken or refused, nothing was
changed; 4 there is no such key; 5 the database cannot be reached, or another process is in the way.
The database is the one that DATABASE_URL or DATA_DIR names, as for the server.`,
);

addKeys(program);
addUsage(program);
addImport(program);
addTaxonomy(program);
addArticles(program);
addMigrate(program);
addDemo(program);

// Whoever reads has gone, as `head` does when it has enough: the command still does its work to the end.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof UsageError) process.stderr.write(`${error.message}\n`);
  else if (!(error instanceof CommanderError)) throw error;
  const isHelp = error instanceof CommanderError && error.exitCode === 0;
  process.exitCode = isHelp ? EXIT.done : EXIT.usage;
}
