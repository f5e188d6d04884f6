/** Opens the database of a server process, and logs what happens to it. */
import type { Config } from './config.ts';
import type { Database } from './database/database.ts';
import { openDatabase } from './database/open.ts';
import type { Log } from './operations/log.ts';

/**
 * @param onEnd called when the embedded database has ended and cannot be started again, so the process cannot serve any longer.
 * @param poolSize the most connections; those of an instance of one process by default.
 */
export function openHome(
  config: Config,
  log: Log,
  { onEnd, poolSize }: { onEnd?: (error: Error) => void; poolSize?: number } = {},
): Promise<Database> {
  return openDatabase(config, {
    poolSize,
    onConnectionLost: (err) => log.warn({ err }, 'A database connection was lost; the pool opens a new one'),
    onAway: (err) => log.error({ err }, 'The database is unavailable: requests get 503 until it is back'),
    onBack: () => log.info('The database is available'),
    onShared: (warning) => log.warn(warning),
    onEnd,
  });
}
