/** The log: one JSON object per line on standard error, or readable text on a terminal. It never contains keys or bodies. */
import { type Logger, pino } from 'pino';
import { maskSecrets } from '../access/secret.ts';

export type Log = Logger;
type Output = NodeJS.WritableStream & { isTTY?: boolean };

/** The loggable part of an error. A database driver's error also carries the statement's values, which must not be logged. */
function describeError(error: Error & { code?: unknown }): Record<string, unknown> {
  const { name, message, code, stack } = error;
  return { type: name, message, ...(code !== undefined && { code }), stack };
}

const URL_PASSWORD = /(:\/\/[^\s:@/"\\]*:)[^\s@/"\\]+@/g;

/**
 * Opens the log.
 * @param level of pino: `fatal` to `trace`, or `silent`.
 * @param isOneOfSeveral whether other processes write to the same log. Each line then has the id of its process.
 * @param output where it is written.
 */
export function openLog(level: string, isOneOfSeveral = false, output: Output = process.stderr): Log {
  const options = {
    level,
    base: isOneOfSeveral ? { pid: process.pid } : null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: describeError },
    // Clients may put keys in the wrong place, such as a path, and libraries may log a URL with its password.
    hooks: { streamWrite: (line: string) => maskSecrets(line).replace(URL_PASSWORD, '$1…@') },
  };
  if (!output.isTTY) return pino(options, output === process.stderr ? pino.destination(2) : output);
  const pretty = { destination: 2, ignore: 'hostname', translateTime: 'HH:MM:ss' };
  return pino({ ...options, transport: { target: 'pino-pretty', options: pretty } });
}
