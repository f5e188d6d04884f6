/** `pda completion`: prints the completion script of a shell and answers its requests. */
import { type Command, Option } from 'commander';
import { monthOf } from '../access/meter.ts';
import { PLANS } from '../access/plans.ts';
import { readConfig } from '../config.ts';
import type { Database } from '../database/database.ts';
import { openServed } from '../database/open.ts';
import { listDisputes } from '../import/open-disputes.ts';
import { encodeId } from '../values/id.ts';
import { printable } from '../values/printable.ts';
import { type Completion, complete, type Sources, type Suggestion } from './complete.ts';
import { SHELLS, type Shell, scriptFor } from './completion-scripts.ts';
import { examples } from './examples.ts';
import { UsageError } from './run.ts';
import { say } from './terminal.ts';

export function addCompletion(program: Command): void {
  const command = program
    .command('completion <shell>')
    .description(`Print the script for Tab completion of commands, options and keys in ${SHELLS.join(', ')}.`)
    .option('--json', 'print {"shell","script"}')
    .action((text: string, { json }: { json?: boolean }) => {
      const shell = readShell(text);
      const script = scriptFor(shell, [process.execPath, process.argv[1] ?? '']);
      say(json, { shell, script }, script);
    });
  examples(command, 'eval "$(pda completion bash)"', 'pda completion fish | source');

  program
    .command('complete <shell> [words...]', { hidden: true })
    .description('Print completions for the script of `pda completion`.')
    .addOption(new Option('--json').hideHelp())
    .action(async (text: string, words: string[]) => {
      const shell = readShell(text);
      const completion = await complete(program, shell === 'bash' ? withoutEquals(words) : words, SOURCES);
      // Exits without waiting for open connections: a database that does not answer must not block the shell.
      process.stdout.write(linesOf(completion), () => process.exit());
    });
}

function readShell(text: string): Shell {
  const shell = SHELLS.find((each) => each === text);
  if (!shell) throw new UsageError(`Completion does not support ${text}. Choose one of ${SHELLS.join(', ')}.`);
  return shell;
}

/** Bash splits `--plan=pro` into three words and expects the last one completed. */
function withoutEquals(words: readonly string[]): string[] {
  return words.flatMap((word, index) => (word !== '=' ? [word] : index === words.length - 1 ? [''] : []));
}

function linesOf(completion: Completion): string {
  if (typeof completion === 'string') return `:${completion}\n`;
  return completion
    .map(({ value, about = '' }) => `${printable(value)}\t${printable(about.replaceAll(/\s+/g, ' '))}\n`)
    .join('');
}

const encodings = ['utf-8', 'utf-16le', 'windows-1250', 'windows-1252', 'iso-8859-1', 'iso-8859-15'];

/** The possible values of each placeholder. Free text, such as names, has no entry. */
export const SOURCES: Sources = {
  plan: () => PLANS.map(({ id, description }) => ({ value: id, about: description })),
  id: keyIds,
  key: keyIds,
  shop: () =>
    fromDatabase(async (database) => {
      const rows = await database.query<{ name: string }>('SELECT name FROM merchant ORDER BY name LIMIT 500');
      return rows.map(({ name }) => ({ value: name }));
    }),
  role: () =>
    fromDatabase(async (database) => {
      const rows = await database.query<{ name: string }>(
        "SELECT rolname AS name FROM pg_roles WHERE rolcanlogin AND rolname !~ '^pg_' ORDER BY rolname LIMIT 500",
      );
      return rows.map(({ name }) => ({ value: name }));
    }),
  // Only the most popular products: other products are named by their identifier.
  product: () =>
    fromDatabase((database) =>
      database.query<Suggestion>(
        'SELECT slug AS value, name AS about FROM product ORDER BY popularity DESC, id DESC LIMIT 500',
      ),
    ),
  identifier: () =>
    fromDatabase(async (database) =>
      (await listDisputes(database)).map(({ asin, merchant }) => ({ value: asin, about: `disputed by ${merchant}` })),
    ),
  month: () => lastMonths(12).map((value) => ({ value })),
  shell: () => SHELLS.map((value) => ({ value })),
  encoding: () => encodings.map((value) => ({ value })),
  feed: () => 'files',
  file: () => 'files',
  dir: () => 'folders',
};

/** Read without Prisma Client, which takes a fifth of a second to load: longer than a Tab key may take. */
function keyIds(): Promise<Suggestion[]> {
  return fromDatabase(async (database) => {
    const rows = await database.query<{ id: bigint; name: string; plan: string }>(
      'SELECT id, name, plan FROM api_key ORDER BY id',
    );
    return rows.map(({ id, name, plan }) => ({ value: encodeId('key', id), about: `${name}, ${plan}` }));
  });
}

const PATIENCE_MS = 1_000;

/** Suggestions from the database, if a server has it open and it answers within {@link PATIENCE_MS}. */
async function fromDatabase(read: (database: Database) => Promise<Suggestion[]>): Promise<Suggestion[]> {
  const patience = new Promise<Suggestion[]>((resolve) => setTimeout(resolve, PATIENCE_MS, []).unref());
  const reading = (async () => {
    const database = await openServed(readConfig());
    return database ? read(database) : [];
  })();
  // Errors are ignored because the shell cannot show them; the command itself will report them.
  return Promise.race([reading.catch(() => []), patience]);
}

function lastMonths(count: number): string[] {
  const now = new Date();
  return Array.from({ length: count }, (_, ago) =>
    monthOf(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - ago, 1))),
  );
}
