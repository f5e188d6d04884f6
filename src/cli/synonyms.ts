/** `pda synonyms`: replaces, shows or removes the synonyms of searches. */
import type { Command } from 'commander';
import { clearSynonyms, listSynonyms, replaceSynonyms, type SynonymSummary } from '../import/synonyms.ts';
import { counted } from '../values/counted.ts';
import { UsageError } from './exit.ts';
import { runCommand } from './run.ts';
import { examples, say, tableOf } from './terminal.ts';

interface SynonymOptions {
  list?: boolean;
  clear?: boolean;
  dryRun?: boolean;
  json?: boolean;
}

/** Adds `pda synonyms` to the commands. */
export function addSynonyms(command: Command): void {
  command
    .argument('[file]')
    .option('--list', 'show the present synonyms')
    .option('--clear', 'remove all synonyms')
    .option('--dry-run', 'check the file and report the result without changing anything')
    .option('--json', 'print {"terms","before"}; with --list, a list of {"term","meanings"}')
    .action((file: string | undefined, options: SynonymOptions) => {
      requireOne(file, options);
      const { list, clear, dryRun: isDryRun = false, json } = options;
      return runCommand(
        async (database) => {
          if (list) {
            const all = await listSynonyms(database);
            const rows = all.map(({ term, meanings }) => [term, meanings.join(', ')]);
            return say(json, all, tableOf(['term', 'also finds'], rows));
          }
          const summary = clear
            ? await clearSynonyms(database, isDryRun)
            : await replaceSynonyms(database, file ?? '', isDryRun);
          say(json, summary, describe(summary, isDryRun));
        },
        { isReading: isDryRun || list === true },
      );
    });
  examples(command, 'pda synonyms synonyms.txt --dry-run', 'pda synonyms synonyms.txt', 'pda synonyms --list --json');
}

function requireOne(file: string | undefined, { list, clear, dryRun }: SynonymOptions): void {
  const chosen = [file !== undefined, list, clear].filter(Boolean).length;
  if (chosen !== 1) throw new UsageError('Choose one of FILE, --list and --clear.');
  if (list && dryRun) throw new UsageError('--list changes nothing: leave out --dry-run.');
}

function describe({ terms, before }: SynonymSummary, isDryRun: boolean): string {
  const mode = isDryRun ? 'Dry run, nothing was changed. Without --dry-run: ' : '';
  return `${mode}${counted(terms, 'term')} with synonyms, before ${before}\n`;
}
