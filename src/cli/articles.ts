/** `pda articles` and `pda taxonomy`: import guides and the category tree into the catalogue. */
import type { Command } from 'commander';
import type { Database } from '../database/database.ts';
import { importArticles } from '../import/articles.ts';
import type { FileSummary } from '../import/import-request.ts';
import { importTaxonomy } from '../import/taxonomy.ts';
import { counted } from '../values/counted.ts';
import { runCommand } from './run.ts';
import { examples, say } from './terminal.ts';

export function addArticles(command: Command): void {
  command.argument('<dir>');
  importWith(command, importArticles, 'article', 'articles');
  examples(command, 'pda articles guides/');
}

export function addTaxonomy(command: Command): void {
  command.argument('<file>');
  importWith(command, importTaxonomy, 'category', 'categories');
  examples(command, 'pda taxonomy taxonomy-with-ids.en-US.txt');
}

type Import = (database: Database, path: string) => Promise<FileSummary>;

function importWith(command: Command, run: Import, one: string, several: string): void {
  command
    .option('--json', 'print {"read","new","changed","same"}')
    .action((path: string, { json }: { json?: boolean }) =>
      runCommand(async (database) => {
        const summary = await run(database, path);
        const { read, changed, same } = summary;
        say(
          json,
          summary,
          `${counted(read, one, several)}: ${summary.new} new, ${changed} changed, ${same} unchanged\n`,
        );
      }),
    );
}
