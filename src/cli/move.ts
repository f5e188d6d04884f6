/** `pda move`: copies all data to another PostgreSQL server, when a service grows out of the embedded database. */
import type { Command } from 'commander';
import { dump } from '../database/copy/dump.ts';
import { load } from '../database/copy/load.ts';
import { type Database, DatabaseUnavailable, isUnreachable } from '../database/database.ts';
import { readHosts } from '../database/hosts.ts';
import { openDatabase } from '../database/open.ts';
import { sealStored } from '../database/sealed-columns.ts';
import { openVault, vaultOf } from '../database/vault.ts';
import { bringUpToDate } from '../import/bring-up-to-date.ts';
import { summaryOf, withProgress } from './copy-progress.ts';
import { reasonOf } from './doctor/finding.ts';
import { UsageError } from './exit.ts';
import { runCommand } from './run.ts';
import { examples, say } from './terminal.ts';

export function addMove(command: Command): void {
  command
    .requiredOption('--to <url>', 'the URL of the database, such as postgresql://user@host:5432/name', readTarget)
    .option('--json', 'print {"from","to","rows","tables"}; tables has the number of rows of each table')
    .action(({ to, json }: { to: string; json?: boolean }) =>
      runCommand(
        async (source, config) => {
          const target = await openDatabase({ ...config, databaseUrl: to }, { purpose: 'bulk' });
          const [from, place] = [source.description, target.description];
          try {
            const { report, says } = summaryOf(await move(source, target));
            say(json, { from, to: place, ...report }, `Copied ${says} from ${from} to ${place}.\n${NEXT}`);
          } catch (error) {
            if (!isUnreachable(error)) throw error;
            throw new DatabaseUnavailable(
              `The copy from ${from} to ${place} failed: ${reasonOf(error)}. Check that both can be used, and run this again.`,
            );
          } finally {
            await target.close();
          }
        },
        { isReading: true, leavesSchema: true },
      ),
    );
  examples(command, 'pda move --to postgresql://pda@db.example:5432/pda');
}

const NEXT = 'Now set DATABASE_URL to the URL of --to, and start the server. The source is unchanged.\n';

async function move(source: Database, target: Database) {
  const counts = await dump(source, (messages) => load(target, withProgress('Copying', messages)));
  await bringUpToDate(target);
  // The key of the source stays there, so its secrets are sealed under that of the target, or stored as they are without one.
  const [own, theirs] = [vaultOf(target).keys, vaultOf(source).keys];
  const former = [...(own.former ?? []), theirs.present, ...(theirs.former ?? [])];
  await sealStored(target, openVault({ present: own.present, former }));
  return counts;
}

function readTarget(text: string): string {
  if (readHosts(text)) return text;
  throw new UsageError('--to must be a URL such as postgresql://user@host:5432/name.');
}
