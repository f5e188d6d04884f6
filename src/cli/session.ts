/** What a command reads and writes. Several commands may run in one process, each in a session of its own. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Readable, Writable } from 'node:stream';
import { EXIT } from './exit.ts';

type Output = Writable & { isTTY?: boolean };

export interface Session {
  environment: NodeJS.ProcessEnv;
  stdin: Readable;
  stdout: Output;
  stderr: Output;
  /** The exit status. */
  status: number;
}

const current = new AsyncLocalStorage<Session>();

/** The session of the running command; that of the process outside of one. */
export const session = (): Session => current.getStore() ?? OF_PROCESS;

const { env: environment, stdin, stdout, stderr } = process;
const OF_PROCESS: Session = { environment, stdin, stdout, stderr, status: EXIT.done };

/** Runs `work` in a session. */
export const inSession = <Result>(of: Session, work: () => Result): Result => current.run(of, work);
