/** `pda backup` and `pda restore`: all data in one consistent file, and back. */
import { accessSync, constants, createReadStream, existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Command } from 'commander';
import { dump } from '../database/copy/dump.ts';
import { packDump, unpackDump } from '../database/copy/dump-file.ts';
import { load } from '../database/copy/load.ts';
import type { Database } from '../database/database.ts';
import { unreadableSecrets } from '../database/sealed-columns.ts';
import { bringUpToDate } from '../import/bring-up-to-date.ts';
import { printable } from '../values/printable.ts';
import { summaryOf, withProgress } from './copy-progress.ts';
import { reasonOf } from './doctor/finding.ts';
import { UsageError } from './exit.ts';
import { openFile, openStandardOutput } from './export/output.ts';
import { runCommand } from './run.ts';
import { session } from './session.ts';
import { examples, say } from './terminal.ts';

interface BackupOptions {
  force?: boolean;
  json?: boolean;
}

export function addBackup(command: Command): void {
  command
    .argument('<file>', 'the file, which appears once it is complete; - for standard output')
    .option('--force', 'replace the file if it exists')
    .option('--json', 'print {"file","bytes","rows","tables"}; tables has the number of rows of each table')
    .action((file: string, options: BackupOptions) => {
      checkFile(file, options);
      return runCommand((database) => writeBackup(database, file, options), { isReading: true, leavesSchema: true });
    });
  examples(command, 'pda backup backup.pda', 'pda backup - | age -r age1… > backup.pda.age');
}

export function addRestore(command: Command): void {
  command
    .argument('<file>', 'the file of pda backup; - for standard input')
    .option('--json', 'print {"rows","tables"}; tables has the number of rows of each table')
    .action((file: string, { json }: BackupOptions) => {
      if (file !== '-') checkReadable(file);
      return runCommand(
        async (database) => {
          const input = file === '-' ? session().stdin : createReadStream(file);
          const counts = await unpackDump(input, (messages) => load(database, withProgress('Restoring', messages)));
          await bringUpToDate(database);
          const { report, says } = summaryOf(counts);
          say(json, report, `Restored ${says} to ${database.description}.\n`);
          // Their key is not in the file.
          const unreadable = await unreadableSecrets(database);
          if (unreadable !== undefined) session().stderr.write(`${unreadable}\n`);
        },
        { leavesSchema: true },
      );
    });
  examples(command, 'DATA_DIR=/var/lib/restored pda restore backup.pda');
}

async function writeBackup(database: Database, file: string, { json }: BackupOptions): Promise<void> {
  // It has digests of keys, and secrets of webhooks if SECRET_KEY is not set.
  const output = file === '-' ? openStandardOutput() : await openFile(file, 0o600);
  try {
    const counts = await dump(database, (messages) =>
      packDump(withProgress('Backing up', messages), (chunk) => output.write(chunk)),
    );
    await output.complete();
    if (file === '-') return;
    const { report, says } = summaryOf(counts);
    const { size } = await stat(file);
    say(json, { file, bytes: size, ...report }, `${printable(file)} has ${says}.\n`);
  } finally {
    await output.discard();
  }
}

/** Before a database is created for it. */
function checkReadable(file: string): void {
  try {
    accessSync(file, constants.R_OK);
  } catch (error) {
    throw new UsageError(`The backup cannot be read (${reasonOf(error)}). Name a file of \`pda backup\`.`);
  }
}

function checkFile(file: string, { force, json }: BackupOptions): void {
  if (file === '-') {
    if (json) throw new UsageError('--json needs a file, because standard output has the backup.');
    if (session().stdout.isTTY) throw new UsageError('A backup is not for a terminal. Name a file.');
  } else if (existsSync(file) && !force) {
    throw new UsageError(`${file} exists. Choose another name, or add --force to replace it.`);
  }
}
