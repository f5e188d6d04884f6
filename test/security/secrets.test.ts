/**
 * No secret is logged or returned: a real server with the most verbose log, on PostgreSQL and Redis with passwords, gets the
 * mistakes of clients, operators and attackers, and loses both databases. Then all output of the server and `pda` is searched for
 * keys beyond their first eight characters, their digests, and passwords. About fifteen seconds.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKey } from '../../src/access/key-admin.ts';
import { digestOf, makeSecret } from '../../src/access/secret.ts';
import { migrate } from '../../src/database/migrate.ts';
import { openPostgres } from '../../src/database/postgres.ts';
import { eventually } from '../harness/eventually.ts';
import { ask, feedRow, importRows } from '../harness/gateway.ts';
import { freePort, type PostgresServer, startPostgresServer } from '../harness/postgres-server.ts';
import { run } from '../harness/process.ts';
import { has } from '../harness/terminal.ts';

const EAN = '4006381333931';
const PASSWORDS = { database: 'dbhunter2', redis: 'redishunter2', feed: 'feedhunter2', wrong: 'wronghunter2' };
const root = join(import.meta.dirname, '..', '..');

/** A built server with all its output. */
async function startTalkative(environment: Record<string, string>): Promise<{ child: ChildProcess; said(): string }> {
  const child = spawn(process.execPath, ['dist/main.js'], {
    cwd: root,
    env: { PATH: process.env.PATH, NODE_ENV: 'production', LOG_LEVEL: 'trace', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      text += chunk;
    });
  }
  await eventually(
    async () => text,
    (said) => said.includes('"Listening"') || child.exitCode !== null,
    60_000,
  );
  return { child, said: () => text };
}

/** Encodes every character, even those that do not need it. */
const percentEncode = (text: string) => Buffer.from(text).toString('hex').replace(/../g, '%$&');

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}

describe.skipIf(!has('redis-server'))('with Redis (install redis-server to run this)', () => {
  let folder: string;
  let postgres: PostgresServer;
  let databaseUrl: string;
  let redis: ChildProcess;
  let redisUrl: string;
  const urlWith = (url: string, user: string, password: string) => url.replace(/\/\/(.*@)?/, `//${user}:${password}@`);

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'pda-secrets-'));
    postgres = await startPostgresServer();
    const trusted = openPostgres({ url: postgres.url, purpose: 'bulk' });
    await migrate(trusted);
    await importRows(trusted, 'Shop', [feedRow({ id: 'a', gtin: EAN })]);
    await trusted.script(`ALTER ROLE postgres PASSWORD '${PASSWORDS.database}'`);
    writeFileSync(join(postgres.folder, 'pg_hba.conf'), 'host all all 127.0.0.1/32 scram-sha-256\n');
    await trusted.query('SELECT pg_reload_conf()');
    await trusted.close();
    databaseUrl = urlWith(postgres.url, 'postgres', PASSWORDS.database);

    const port = await freePort();
    redisUrl = `redis://default:${PASSWORDS.redis}@127.0.0.1:${port}`;
    const words = [
      '--port',
      port,
      '--bind',
      '127.0.0.1',
      '--save',
      '',
      '--appendonly',
      'no',
      '--requirepass',
      PASSWORDS.redis,
    ];
    redis = spawn('redis-server', words.map(String), { stdio: 'ignore', cwd: folder });
  });
  afterAll(async () => {
    await end(redis, 'SIGKILL');
    await postgres.remove();
    rmSync(folder, { recursive: true });
  });

  test('no key, digest or password is in logs, responses, metrics or the output of pda', async () => {
    const database = openPostgres({ url: databaseUrl, poolSize: 2 });
    const { key } = await createKey(database, { name: 'client', plan: 'enterprise' });
    const { key: otherKey } = await createKey(database, { name: 'other', plan: 'free' });
    await database.close();
    const unknownKey = makeSecret();
    const metricsPort = String(await freePort());
    const port = String(await freePort());
    const address = `http://127.0.0.1:${port}`;
    const environment = { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl };
    const server = await startTalkative({ ...environment, PORT: port, METRICS_PORT: metricsPort });
    /** The text of each response, with a name for the request. */
    const answers: [string, string][] = [];
    const send = async (name: string, path: string, init: Parameters<typeof ask>[1] = {}) => {
      const { status, headers, text } = await ask(address + path, init);
      answers.push([name, `${status} ${JSON.stringify([...headers])} ${text}`]);
      return status;
    };
    const json = { 'content-type': 'application/json' };
    const graphql = (name: string, body: unknown, init: Parameters<typeof ask>[1] = {}) =>
      send(name, '/graphql', {
        method: 'POST',
        body: typeof body === 'string' ? body : JSON.stringify(body),
        ...init,
        headers: { ...json, ...(init.headers as Record<string, string>) },
      });
    const mcp = (
      name: string,
      headers: Record<string, string>,
      body = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
    ) =>
      send(name, '/mcp', {
        method: 'POST',
        body,
        headers: { ...json, accept: 'application/json, text/event-stream', ...headers },
      });

    const everything = async () => {
      expect.soft([200, 503]).toContain(await send('a good key', `/api/v1/lookup?ean=${EAN}`, { key }));
      await send('a key that is not known', `/api/v1/lookup?ean=${EAN}`, { key: unknownKey });
      await send('a key that is cut off', '/api/v1/products', { key: key.slice(0, -1) });
      await send('a key as a bearer token', '/api/v1/products', { headers: { authorization: `Bearer ${key}` } });
      await send('a key in the query', `/api/v1/lookup?ean=${EAN}&key=${key}&api_key=${key}`);
      await send('a key in the path', `/api/v1/products/${key}`);
      await send('a key in the path of nothing', `/${key}`, { key });
      await send('a key with an encoded letter in the path', `/api/v1/products/${key.replace('_', '%5F')}`);
      await send('a key that is encoded in the path', `/foo/${percentEncode(key)}`);
      await send('a key that is encoded twice in the path', `/foo/${percentEncode(key).replaceAll('%', '%25')}`);
      await send('a key at the end of what is told of a path', `/${'x'.repeat(175)}${key}`);
      await send('a key as the id of the request', '/api/v1/products', { key, headers: { 'x-request-id': key } });
      await send('a key as a cookie', '/', { headers: { cookie: `key=${key}`, accept: 'text/html' } });
      await send('a key as a referrer', '/go/ofr_1', { headers: { referer: `${address}/?key=${key}` } });
      await send('a wrong parameter', '/api/v1/lookup?ean=abc', { key });
      await send('another method', '/api/v1/lookup', { key, method: 'DELETE' });
      await graphql('GraphQL', { query: '{ viewer { keyName used } }' }, { key });
      await graphql('GraphQL with a key that is not known', { query: '{ viewer { used } }' }, { key: unknownKey });
      await graphql('JSON that is no request', `["${key}"]`, { key });
      await mcp('MCP', { authorization: `Bearer ${key}` });
      await mcp('MCP with a key that is not known', { authorization: `Bearer ${unknownKey}` });
      await mcp('MCP with malformed JSON', { authorization: `Bearer ${key}` }, `{"jsonrpc": "${key}`);
      const call = { name: 'lookup_product', arguments: { ean: EAN, asin: 'x' } };
      const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call };
      await mcp('a tool with wrong arguments', { 'x-api-key': key }, JSON.stringify(message));
      // A request that no HTTP parser accepts.
      const socket = connect(Number(port), '127.0.0.1');
      socket.end(`GET / HTTP/9.9\r\nx-api-key: ${key}\r\n\r\n`);
      for await (const chunk of socket) answers.push(['not HTTP', String(chunk)]);
    };
    /** Requests whose errors may quote the client's own input back to that client. */
    const echoed = async () => {
      await graphql('a key in malformed JSON', `{"query": "{ viewer { used } }", "key": "${key}`, { key });
      await graphql(
        'a key in a variable',
        { query: 'query ($e: String) { lookup(ean: $e) { product { id } } }', variables: { e: key } },
        { key },
      );
      await graphql('a key in the document', { query: `{ lookup(ean: "${key}") { product { id } } ${key} }` }, { key });
    };
    const metrics = async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();

    await everything();
    await echoed();
    answers.push(['the metrics', await metrics()]);

    // Commands of the operator, while everything works.
    const feed = createServer((_, response) => response.writeHead(503).end()).listen(0, '127.0.0.1');
    await once(feed, 'listening');
    const feedAddress = feed.address();
    const feedPort = typeof feedAddress === 'object' && feedAddress ? feedAddress.port : 0;
    const feedUrl = `http://shop:${PASSWORDS.feed}@127.0.0.1:${feedPort}/feed?token=${PASSWORDS.feed}`;
    const importing = (url: string, ...words: string[]) => [
      'import',
      url,
      '--merchant',
      'Shop',
      '--rejects',
      join(folder, 'r'),
      ...words,
    ];
    const debug = { ...environment, LOG_LEVEL: 'debug' };
    const operate = async (name: string, words: string[], settings: Record<string, string> = debug) => {
      const { stdout, stderr } = await run('pda', words, settings);
      answers.push([name, `${stdout}\n${stderr}`]);
      return { stdout, stderr };
    };
    await operate('an import that the shop refuses', importing(feedUrl, '--allow-private'));
    await operate('an import from a private address', importing(feedUrl));
    await operate(
      'an import with a malformed password',
      importing(feedUrl.replace(':feed', ':%zzfeed'), '--allow-private'),
    );
    feed.close();
    await operate('an import from nowhere', importing(feedUrl, '--allow-private'));
    await operate('the doctor', ['doctor', '--json']);
    await operate('the list of keys', ['keys', 'list', '--json']);
    await operate('usage', ['usage', '--json']);
    const made = await operate('a new key', ['keys', 'create', '--name', 'new', '--plan', 'free', '--json']);
    const { key: newKey } = JSON.parse(made.stdout);
    // A new key is shown once, on standard output.
    expect(made.stderr).not.toContain(newKey);
    answers.pop();

    // Wrong passwords, and addresses where nothing listens.
    const wrongDatabase = urlWith(postgres.url, 'postgres', PASSWORDS.wrong);
    const wrongRedis = redisUrl.replace(PASSWORDS.redis, PASSWORDS.wrong);
    await operate('the doctor with wrong passwords', ['doctor'], {
      DATABASE_URL: wrongDatabase,
      REDIS_URL: wrongRedis,
      LOG_LEVEL: 'debug',
    });
    await operate('keys with a wrong password', ['keys', 'list'], { DATABASE_URL: wrongDatabase, LOG_LEVEL: 'debug' });
    await operate('keys at another address', ['keys', 'list'], {
      DATABASE_URL: `postgres://u:${PASSWORDS.wrong}@127.0.0.1:1/x`,
      LOG_LEVEL: 'debug',
    });
    for (const url of [
      wrongDatabase,
      `postgres://u:${PASSWORDS.wrong}@127.0.0.1:1/x`,
      `postgres://u:${PASSWORDS.wrong}@/x`,
      `mysql://u:${PASSWORDS.wrong}@h/x`,
      `postgres://u:%zz${PASSWORDS.wrong}@127.0.0.1:1/x`,
    ]) {
      const { stdout, stderr } = await run('main', [], {
        DATABASE_URL: url,
        NODE_ENV: 'production',
        LOG_LEVEL: 'trace',
        PORT: '0',
      });
      answers.push([`a start with ${url.slice(0, 12)}…`, stdout + stderr]);
      expect(stderr).not.toBe('');
    }
    const withoutRedis = await startTalkative({ DATABASE_URL: databaseUrl, REDIS_URL: wrongRedis, PORT: '0' });
    await eventually(
      async () => withoutRedis.said(),
      (said) => said.includes('Redis is unavailable'),
    );
    expect(withoutRedis.said()).toContain('Redis is unavailable');
    await end(withoutRedis.child, 'SIGTERM');
    answers.push(['a start with a wrong password for Redis', withoutRedis.said()]);

    // Redis stops, then the database, while requests continue.
    await end(redis, 'SIGKILL');
    await everything();
    await postgres.stop('fast');
    await everything();
    await operate('the doctor without a database', ['doctor']);
    answers.push(['the metrics at the end', await metrics()]);
    await end(server.child, 'SIGTERM');
    answers.push(['the log', server.said()]);

    // Proves that the log was captured and is searched: it has all of this, with keys by their ids.
    expect(server.said()).toContain('Redis is unavailable');
    expect(server.said()).toMatch(/"status":503/);
    expect(server.said()).toMatch(/"keyId":"\d+"/);
    const keys = [key, otherKey, unknownKey, newKey];
    const secrets = [
      ...Object.values(PASSWORDS),
      ...keys.flatMap((each) => [each.slice(8), each.slice(4, -8), digestOf(each)]),
    ];
    const encodings = (secret: string) => [
      secret,
      Buffer.from(secret).toString('base64').replace(/=+$/, ''),
      percentEncode(secret),
      percentEncode(secret).replaceAll('%', '%25'),
    ];
    const found = answers.flatMap(([name, text]) =>
      secrets.flatMap(encodings).some((secret) => text.includes(secret)) ? [name] : [],
    );
    expect(found.filter((name) => !/^a key in (a variable|the document|malformed JSON)$/.test(name))).toEqual([]);
  });
});
