/** Text from feeds and from servers of shops cannot send control sequences to the operator's terminal (CWE-150). */
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { excerpt, printable, printableJson } from '../../src/values/printable.ts';
import { makeHome } from '../harness/home.ts';
import { folderForFile, forFile } from '../harness/lifetime.ts';
import { run } from '../harness/process.ts';

// Renames the window, clears the screen, starts a C1 sequence, and reverses the writing direction.
const HOSTILE = '\x1b]0;owned\x07\x1b[2Jx\x9b31m\u202egnp.exe';
// biome-ignore lint/suspicious/noControlCharactersInRegex: the output must not contain them.
const OBEYED = /[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/;

const pda = (...words: string[]) => run('pda', words, home.environment);

/** A web server that answers every request with exactly these bytes. */
async function serveBytes(answer: string): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end(Buffer.from(answer, 'latin1')));
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/feed`;
}

const folder = folderForFile('pda-terminal-');
const home = await forFile(makeHome());

test.each([
  ['status text', `HTTP/1.1 503 \x1b]0;owned\x07\x1b[31mBusy\x9b2J\r\ncontent-length: 0\r\n\r\n`, '503'],
  [
    'redirect',
    'HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:1/\x1b[2J\x9b31m\r\ncontent-length: 0\r\n\r\n',
    'cannot be fetched',
  ],
  ['content coding', 'HTTP/1.1 200 OK\r\ncontent-encoding: \x1b[2Jbr\r\n\r\n', ''],
  ['page in plain text', `HTTP/1.1 200 OK\r\n\r\n${HOSTILE.slice(0, 20)}\x1b[2J`, 'expected an XML feed'],
  ['XML', `HTTP/1.1 200 OK\r\n\r\n<a\x9b31m\x1b[2J></a>`, ''],
])('the %s of a server is shown as text', async (_, answer, shown) => {
  const { status, stderr } = await pda('import', await serveBytes(answer), '--merchant', 'A', '--allow-private');
  expect(status).toBe(3);
  expect(stderr).toContain(shown);
  expect(stderr.trimEnd()).not.toMatch(OBEYED);
  expect(stderr.length).toBeLessThan(400);
});

test('rows and names of files and shops are escaped for terminals, and unchanged in JSON', async () => {
  const row = {
    id: `id${HOSTILE}`,
    title: 'Thing',
    link: `https://x.example/${HOSTILE}`,
    price: '1.00 EUR',
    availability: HOSTILE,
  };
  const feed = join(folder, 'feed.jsonl');
  writeFileSync(feed, `${JSON.stringify(row)}\n${JSON.stringify({ ...row, id: 'b', price: `1${HOSTILE}` })}\n`);
  const rejects = join(folder, 'rejects\x1b[2J');
  const imported = await pda('import', feed, '--merchant', `Shop ${HOSTILE}`, '--rejects', rejects);
  expect([imported.status, imported.stderr]).toEqual([0, '']);
  expect(imported.stdout).toContain('2 rows');
  expect(imported.stdout).not.toMatch(OBEYED);
  const listed = readFileSync(rejects, 'utf8');
  expect(listed).not.toMatch(OBEYED);
  const [first] = listed.split('\n');
  expect(JSON.parse(first ?? '').id).toContain('\u202e');
  const missing = await pda('import', `none${HOSTILE}.xml`, '--merchant', 'A');
  expect(missing.stderr).toContain('no such file');
  expect(missing.stderr).not.toMatch(OBEYED);
});

test('ordinary text is unchanged, and control characters are escaped', () => {
  expect(printable('Käse\t→ 日本 👍\nnext')).toBe('Käse\t→ 日本 👍\nnext');
  expect(printable('a\x1b[2J\x9b\u202e')).toBe('a\\u001b[2J\\u009b\\u202e');
  expect(JSON.parse(printableJson({ a: HOSTILE }))).toEqual({ a: HOSTILE });
  expect(excerpt(`a\r\n${'b'.repeat(100)}`, 10)).toBe('a bbbbbbb…');
  expect(excerpt('\x1b'.repeat(60))).toHaveLength(61);
});
