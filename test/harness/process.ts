/** The built server as a separate process, for tests that kill it or run several. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { runPda } from '../../src/cli/run-pda.ts';

export interface ServerProcess {
  address: string;
  child: ChildProcess;
  /** Kills it, and waits until it has exited. */
  kill(): Promise<void>;
  /** Stops it as an operator does. @returns its exit status. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

const root = join(import.meta.dirname, '..', '..');

/** The output and exit status of a process. */
export interface Outcome {
  status: number | null;
  stdout: string;
  stderr: string;
}

/** Only what a test sets and what a process needs to run, so that no settings of the machine leak in. */
function environmentOf(environment: Record<string, string>): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, ...environment };
}

/**
 * Starts `node dist/main.js` on a free port and waits until it listens.
 *
 * @param folder the folder that contains `dist`.
 * @param prefix words of a command that starts it, such as `setsid`.
 */
export async function startServerProcess(
  environment: Record<string, string>,
  folder = root,
  prefix: readonly string[] = [],
): Promise<ServerProcess> {
  const [program = '', ...words] = [...prefix, process.execPath, 'dist/main.js'];
  const child = spawn(program, words, {
    cwd: folder,
    env: environmentOf({ PORT: '0', NODE_ENV: 'production', ...environment }),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(child, 'exit');
  const address = await Promise.race([
    addressOf(child),
    ended.then(([status]) => Promise.reject(new Error(`The server ended with status ${status} before it listened.`))),
  ]);
  return {
    address,
    child,
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
    async stop(signal = 'SIGTERM') {
      child.kill(signal);
      const [status] = await ended;
      return status;
    },
  };
}

/** Whether a process runs. One that has ended may be listed until its parent takes notice. */
export function isAlive(pid: number): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

/** Runs a built program until it exits, `pda` in this process: {@link runApart} starts one of its own. */
export async function run(
  entry: 'main' | 'pda',
  words: readonly string[],
  environment: Record<string, string>,
  input = '',
): Promise<Outcome> {
  if (entry === 'main') return runApart(entry, words, environment, input);
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const said = Promise.all([text(stdout), text(stderr)]);
  const surroundings = {
    environment: environmentOf(environment),
    stdin: Readable.from([Buffer.from(input)]),
    stdout,
    stderr,
    status: 0,
  };
  try {
    const status = await runPda(words, surroundings);
    return { status, ...(await closed()) };
  } catch (error) {
    stderr.write(String(error));
    return { status: 1, ...(await closed()) };
  }

  async function closed() {
    for (const stream of [stdout, stderr]) stream.end();
    const [out, err] = await said;
    return { stdout: out, stderr: err };
  }
}

/** Runs a built program in a process of its own until it exits. */
export const runApart = (
  entry: 'main' | 'pda',
  words: readonly string[],
  environment: Record<string, string>,
  input?: string,
): Promise<Outcome> => runIn(root, entry, words, environment, { input });

/** The same in another folder that contains `dist`. @param options with whose rights it runs. */
export async function runIn(
  folder: string,
  entry: 'main' | 'pda',
  words: readonly string[],
  environment: Record<string, string>,
  { input, uid, gid }: { input?: string | undefined; uid?: number; gid?: number } = {},
): Promise<Outcome> {
  const child = spawn(process.execPath, [`dist/${entry}.js`, ...words], {
    cwd: folder,
    ...(uid !== undefined && { uid }),
    ...(gid !== undefined && { gid }),
    env: environmentOf(environment),
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  const outcome: Outcome = { status: null, stdout: '', stderr: '' };
  child.stdout?.on('data', (chunk) => {
    outcome.stdout += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    outcome.stderr += chunk;
  });
  child.stdin?.on('error', () => {}); // A command that stops early does not read all of its input.
  child.stdin?.end(input);
  const [status] = await once(child, 'close');
  return { ...outcome, status };
}

/** The address in the log line `Listening`. */
async function addressOf(child: ChildProcess): Promise<string> {
  if (!child.stderr) throw new Error('The log of the server is not read.');
  const lines = createInterface({ input: child.stderr });
  const said: string[] = [];
  for await (const line of lines) {
    said.push(line);
    const entry = parseJson(line);
    if (entry?.msg !== 'Listening') continue;
    child.stderr.resume(); // Nobody reads the later output, but a full pipe would block the server.
    return String(entry.address);
  }
  throw new Error(`The server never listened. It said:\n${said.join('\n')}`);
}

function parseJson(line: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(line);
  } catch {
    return undefined; // A process that fails also writes lines that are not log entries.
  }
}
