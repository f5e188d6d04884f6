// Opening feeds: files and web addresses, packed or not.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openFeed } from '../../src/import/readers/source.ts';
import { rss } from './feed-text.ts';

describe('a feed is opened', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'feed-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  async function fileOf(bytes: string | Uint8Array): Promise<string> {
    const path = join(folder, `${Math.random()}.xml`);
    await writeFile(path, bytes);
    return path;
  }

  async function readAll(location: string, options = {}): Promise<string> {
    try {
      // The servers of these tests are on the loopback, so private addresses are allowed.
      const source = await openFeed(location, { isPrivateAllowed: true, ...options });
      const chunks: Uint8Array[] = [];
      for await (const chunk of source.bytes) chunks.push(chunk);
      return Buffer.concat(chunks).toString();
    } catch (error) {
      return String(error);
    }
  }

  /** Runs `visit` while a web server answers with `listener`. */
  async function withServer(listener: RequestListener, visit: (address: string) => Promise<void>): Promise<void> {
    const server = createServer(listener);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    try {
      await visit(`http://127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}`);
    } finally {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  }

  test('from a file, with its size and the number of bytes read', async () => {
    const source = await openFeed(await fileOf('id\n1\n'));
    expect([source.totalBytes, source.bytesRead()]).toEqual([5, 0]);
    for await (const chunk of source.bytes) expect(chunk).toHaveLength(5);
    expect(source.bytesRead()).toBe(5);
  });

  test('from gzip under any name, even of several appended archives', async () => {
    const packed = Buffer.concat([gzipSync('id\n1\n'), gzipSync('2\n')]);
    expect(await readAll(await fileOf(packed))).toBe('id\n1\n2\n');
  });

  test('but not from gzip that is cut off or damaged', async () => {
    const packed = gzipSync(rss('<g:id>1</g:id><title>Lamp</title><g:price>5.00 EUR</g:price>'));
    expect(await readAll(await fileOf(packed.subarray(0, -10)))).toContain('the gzip archive is cut off');
    expect(await readAll(await fileOf(Buffer.concat([packed.subarray(0, 12), Buffer.from('nonsense')])))).toContain(
      'BrokenFeed: the gzip archive is',
    );
  });

  test('but not above the size limit, packed or unpacked', async () => {
    expect(await readAll(await fileOf(gzipSync('a'.repeat(5000))), { maxBytes: 4999 })).toContain(
      'larger than 4999 bytes',
    );
    expect(await readAll(await fileOf(gzipSync(Buffer.alloc(70 * 1024 * 1024))))).toContain(
      'unpacks to more than 400 times',
    );
  });

  test('but not from a missing file, a folder or an invalid URL', async () => {
    expect(await readAll(join(folder, 'none.xml'))).toContain('none.xml cannot be read: no such file');
    expect(await readAll(folder)).toContain('is a folder');
    expect(await readAll('http://')).toContain('not a valid URL');
  });

  test('from a web address, through redirects, with its password', async () => {
    await withServer(
      (request, response) => {
        if (request.url === '/old') return response.writeHead(301, { location: '/feed' }).end();
        const credentials = Buffer.from(
          (request.headers.authorization ?? '').replace('Basic ', ''),
          'base64',
        ).toString();
        return response.writeHead(200).end(`id\n${credentials}\n`);
      },
      async (address) => {
        expect(await readAll(`${address.replace('//', '//me:p%40ss@')}/old`)).toBe('id\nme:p@ss\n');
      },
    );
  });

  test('but not from an address that answers with an error, and the message hides its secrets', async () => {
    await withServer(
      (_, response) => response.writeHead(503).end('down'),
      async (address) => {
        const message = await readAll(`${address.replace('//', '//me:secret@')}/feed?token=secret`);
        expect(message).toContain('/feed answered 503 Service Unavailable');
        expect(message).not.toContain('secret');
      },
    );
  });

  test('but not from a server that stalls or closes the connection', async () => {
    await withServer(
      (request, response) => {
        response.writeHead(200, { 'content-length': '100' });
        response.write('id\n1\n');
        if (request.url === '/hang-up') setImmediate(() => response.destroy());
      },
      async (address) => {
        expect(await readAll(`${address}/stall`, { timeoutMs: 50 })).toContain('sent nothing for 0.05 seconds');
        expect(await readAll(`${address}/hang-up`)).toContain('cannot be fetched');
      },
    );
  });
});
