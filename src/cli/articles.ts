/** `pda articles`: imports a folder of guides into the catalogue. */
import type { Command } from 'commander';
import { importArticles } from '../import/articles.ts';
import { counted } from '../values/counted.ts';
import { examples } from './examples.ts';
import { runCommand } from './run.ts';
import { say } from './terminal.ts';

export function addArticles(program: Command): void {
  const command = program
    .command('articles <dir>')
    .description('Import articles from the *.md files of a folder (Markdown with YAML front matter).')
    .option('--json', 'print {"read","new","changed","same"}')
    .action((folder: string, { json }: { json?: boolean }) =>
      runCommand(async (database) => {
        const summary = await importArticles(database, folder);
        say(
          json,
          summary,
          `${counted(summary.read, 'article')}: ${summary.new} new, ${summary.changed} changed, ${summary.same} unchanged\n`,
        );
      }),
    );
  examples(command, 'pda articles guides/');
}
