/** The entry of the process that pulls feeds next to a gateway (feeds/pull-apart.ts). It ends when it has nothing to do, or its gateway ends. */
import { setPriority } from 'node:os';
import { readConfig } from './config.ts';
import { openDatabase } from './database/open.ts';
import { failureOf } from './failure.ts';
import { startPuller } from './feeds/puller.ts';
import { feedLog, pullerOptions } from './feeds/puller-options.ts';
import { openLog } from './operations/log.ts';
import { STOP_SIGNALS } from './stopping.ts';

// The lookups of the gateway come first. This is the lowest priority of all systems.
const LOW_PRIORITY = 19;
const IDLE_MS = 60_000;

async function main(): Promise<void> {
  const config = readConfig();
  const log = openLog(config.logLevel, true);
  // A terminal and systemd signal all processes at once. The gateway decides when this one stops.
  for (const signal of STOP_SIGNALS) process.on(signal, () => {});
  setPriority(LOW_PRIORITY);
  const database = await openDatabase(
    { ...config, databaseUrl: config.feedsDatabaseUrl ?? config.databaseUrl },
    {
      purpose: 'bulk',
      onConnectionLost: (err) => log.warn({ err }, 'A database connection was lost while pulling feeds'),
    },
  );
  const puller = startPuller(database, { ...pullerOptions(config), observer: feedLog(log) });
  let isEnding = false;
  const end = async (): Promise<void> => {
    if (isEnding) return;
    isEnding = true;
    await puller.stop();
    await database.close();
    process.exit(0);
  };
  process.on('disconnect', () => void end());
  setInterval(() => puller.idleMs() > IDLE_MS && void end(), 1_000);
  if (!process.connected) void end();
}

main().catch((error: unknown) => {
  const { text, status } = failureOf(error);
  process.stderr.write(`${text}\n`);
  process.exit(status);
});
