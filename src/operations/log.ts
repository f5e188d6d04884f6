/** The log: one JSON object a line on standard error, readable text where that is a terminal. Never a key, never a body. */
import { type Logger, pino } from 'pino';
import { maskSecrets } from '../access/secret.ts';

export type Log = Logger;

/** An error as the log may hold it: a driver's error also carries the statement's values, which are none of the log's. */
function describeError(error: Error & { code?: unknown }): Record<string, unknown> {
  const { name, message, code, stack } = error;
  return { type: name, message, ...(code !== undefined && { code }), stack };
}

const URL_PASSWORD = /(:\/\/[^\s:@/"\\]*:)[^\s@/"\\]+@/g;

/** Opens the log at a level of pino's: `fatal` to `trace`, or `silent`. */
export function openLog(level: string): Log {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: describeError },
    // Clients put keys where they do not belong, as into a path; and a library may name an address with its password.
    hooks: { streamWrite: (line: string) => maskSecrets(line).replace(URL_PASSWORD, '$1…@') },
  };
  if (!process.stderr.isTTY) return pino(options, pino.destination(2));
  return pino({
    ...options,
    transport: {
      target: 'pino-pretty',
      options: { destination: 2, ignore: 'pid,hostname', translateTime: 'HH:MM:ss' },
    },
  });
}
