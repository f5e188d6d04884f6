/** The measured servers, each in its own process on the same database. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { build } from 'esbuild';

export interface RunningServer {
  name: string;
  address: string;
  /** From the start of the process until it listens. */
  startMilliseconds: number;
  pid: number;
  stop(): Promise<void>;
}

/** The environment of a service without cached answers. */
export const NOTHING_KEPT = { ANSWER_CACHE_MB: '0' };

const PEERS = join('bench', 'peers');
// PostGraphile needs a newer Node.js than the service; npm has packages with its binary.
const NEW_NODE = `node-${process.platform}-${process.arch}`;

/** Installs missing packages of the peers. @returns whether a Node.js for PostGraphile is available. */
export function installPeers(): boolean {
  const npm = (...words: string[]) =>
    spawnSync('npm', [...words, '--no-audit', '--no-fund', '--loglevel=error'], { cwd: PEERS });
  const { dependencies } = JSON.parse(readFileSync(join(PEERS, 'package.json'), 'utf8'));
  const isMissing = (name: string) => !existsSync(join(PEERS, 'node_modules', name));
  if (Object.keys(dependencies).some(isMissing)) npm('install');
  if (!existsSync(newNode())) npm('install', '--no-save', `${NEW_NODE}@24`);
  return existsSync(newNode());
}

/** The versions of the peers' frameworks, and of Prisma, which the service and a peer share. */
export function peerVersions(): Record<string, string> {
  const { dependencies } = JSON.parse(readFileSync(join(PEERS, 'package.json'), 'utf8'));
  const { version } = JSON.parse(readFileSync(join('node_modules', '@prisma', 'client', 'package.json'), 'utf8'));
  return { fastify: dependencies.fastify, postgraphile: dependencies.postgraphile, prisma: version };
}

const newNode = () => join(PEERS, 'node_modules', NEW_NODE, 'bin', 'node');

/** The arguments of node in `npm start`. */
function startWords(folder: string): string[] {
  const { scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return scripts.start.split(' ').slice(1);
}

/**
 * Starts the service as `npm start` does, but without logging each request, because the peers do not log requests either.
 *
 * @param url of the database; absent for an embedded one, whose folder the environment names.
 * @param environment variables that differ, such as another LOG_LEVEL.
 * @param folder of the built version to start.
 */
export async function startOurs(
  name: string,
  url: string | undefined,
  environment: Record<string, string> = {},
  folder = '.',
): Promise<RunningServer> {
  const port = await freePort();
  const variables = {
    NODE_ENV: 'production',
    ...(url !== undefined && { DATABASE_URL: url }),
    PORT: String(port),
    LOG_LEVEL: 'warn',
    ...environment,
  };
  return start(name, process.execPath, startWords(folder), variables, { address: `http://127.0.0.1:${port}`, folder });
}

/** Bundles the program of a peer. @returns its file. */
export async function bundlePeer(name: string): Promise<string> {
  // Bundles only our own files, such as the generated Prisma client; packages come from the peers' folder.
  await build({
    entryPoints: [join(PEERS, `${name}.js`)],
    outdir: join(PEERS, 'dist'),
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    logLevel: 'warning',
  });
  return join(PEERS, 'dist', `${name}.js`);
}

/** Starts a peer. @param name of its file. */
export async function startPeer(
  name: string,
  url: string,
  { answerBytes = 0, isNewNode = false }: { answerBytes?: number; isNewNode?: boolean } = {},
): Promise<RunningServer> {
  const file = await bundlePeer(name);
  return start(name, isNewNode ? newNode() : process.execPath, [file], {
    NODE_ENV: 'production',
    DATABASE_URL: url,
    PUBLIC_URL: 'http://127.0.0.1:4000',
    ANSWER_BYTES: String(answerBytes),
  });
}

async function start(
  name: string,
  command: string,
  words: readonly string[],
  environment: Record<string, string>,
  given: { address?: string; folder?: string } = {},
): Promise<RunningServer> {
  const startedAt = performance.now();
  const child = spawn(command, words, {
    cwd: given.folder,
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  const failed = once(child, 'exit').then(([status]) => {
    throw new Error(`${name} ended with status ${status} before it listened.`);
  });
  failed.catch(() => {}); // It also exits when it is stopped.
  const address = await Promise.race([given.address === undefined ? printed(child) : answering(given.address), failed]);
  return {
    name,
    address,
    startMilliseconds: performance.now() - startedAt,
    pid: child.pid ?? 0,
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** The address that a peer prints when it listens. */
async function printed(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error('The output of the peer is not piped.');
  for await (const line of createInterface({ input: child.stdout })) return line;
  throw new Error('The peer printed no address.');
}

/** Waits until a server answers. */
async function answering(address: string): Promise<string> {
  for (;;) {
    const isThere = await fetch(`${address}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isThere) return address;
    await setTimeout(10);
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
