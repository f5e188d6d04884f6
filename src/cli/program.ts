/** The tree of all `pda` commands, used for running and for help. */
import { Command } from 'commander';
import { packageVersion } from '../package-root.ts';
import { addArticles, addTaxonomy } from './articles.ts';
import { addAudit } from './audit.ts';
import { addClicks } from './clicks.ts';
import { addConsole } from './console.ts';
import { addDemo } from './demo.ts';
import { addDistribute } from './distribute.ts';
import { addDoctor } from './doctor.ts';
import { addExport } from './export/export.ts';
import { addFeeds } from './feeds.ts';
import { addIdentifiers } from './identifiers.ts';
import { addImport } from './import.ts';
import { addKeys } from './keys.ts';
import { addMigrate } from './migrate.ts';
import { addRoles } from './roles.ts';
import { addSynonyms } from './synonyms.ts';
import { colours, examples } from './terminal.ts';
import { addUsage } from './usage.ts';
import { addWebhooks } from './webhooks.ts';

/** Creates the tree of commands. Parsing throws a {@link CommanderError} instead of ending the process. */
export function createProgram(): Command {
  const program = new Command('pda')
    .description(
      'Operate the Product Data API: keys, usage, imports, feeds and more. Works whether or not the server runs.',
    )
    .version(packageVersion())
    .showHelpAfterError('(add --help for usage)')
    .configureHelp({ styleTitle: colours.bold })
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
identifier; 5 the database cannot be reached or is in use.
The database is set by DATABASE_URL or DATA_DIR, as for the server.`,
  );

  addKeys(program);
  addUsage(program);
  addWebhooks(program);
  addConsole(program);
  addAudit(program);
  addClicks(program);
  addImport(program);
  addFeeds(program);
  addExport(program);
  addIdentifiers(program);
  addTaxonomy(program);
  addArticles(program);
  addSynonyms(program);
  addMigrate(program);
  addDistribute(program);
  addRoles(program);
  addDemo(program);
  addDoctor(program);
  return program;
}
