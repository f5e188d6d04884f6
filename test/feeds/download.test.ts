/** A feed of which only a part arrives, or can be stored, is not imported. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { gunzipIfNeeded } from '../../src/import/readers/gunzip.ts';
import { openFeed } from '../../src/import/readers/source.ts';
import { BrokenFeed } from '../../src/import/reject.ts';
import { forFile } from '../harness/lifetime.ts';
import { feedOf, someRows, startShopServer } from '../harness/shop-server.ts';
import { inPieces } from '../import/feed-text.ts';

const FEED = Buffer.from(feedOf(someRows(200)));
const BLOCK = 512;

const shop = await forFile(startShopServer());

async function readAll(path: string): Promise<number> {
  const { bytes } = await openFeed(shop.url(path), { isPrivateAllowed: true });
  let length = 0;
  for await (const chunk of bytes) length += chunk.length;
  return length;
}

test('a download fails if the disk takes only a part of it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pda-download-'));
  try {
    const program = join(folder, 'download.mjs');
    const source = join(import.meta.dirname, '..', '..', 'src', 'feeds', 'download.ts');
    // The limit on the size of files is one of a process, and makes the system write a part as a full disk does.
    const contents = `
      import { downloadFeed } from ${JSON.stringify(source)};
      const { signal } = new AbortController();
      const request = { url: process.argv[2], headers: {}, maxBytes: 1e9, isPrivateAllowed: true, totalMs: 60000, signal };
      downloadFeed(request).then(({ bytes }) => console.log(bytes), ({ code }) => console.log(code));`;
    const banner = {
      js: "import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);",
    };
    const stdin = { contents, resolveDir: folder };
    await build({ stdin, bundle: true, platform: 'node', format: 'esm', outfile: program, banner, logLevel: 'error' });
    shop.serve('/full', (response) => response.end(FEED));
    const download = async (blocks: number) => {
      const command = `ulimit -f ${blocks}; exec "$0" "$@"`;
      const { stdout } = await promisify(execFile)('sh', ['-c', command, process.execPath, program, shop.url('/full')]);
      return stdout.trim();
    };
    expect(await download(Math.ceil(FEED.length / BLOCK))).toBe(String(FEED.length));
    expect(await download(Math.floor(FEED.length / BLOCK) - 2)).toBe('EFBIG');
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('a feed is refused if the connection ends within it, in whatever way its length is stated', async () => {
  const ways = {
    'content-length': (part: Buffer) => [`content-length: ${FEED.length}\r\n\r\n`, part],
    chunked: (part: Buffer) => [`transfer-encoding: chunked\r\n\r\n${FEED.length.toString(16)}\r\n`, part],
    'chunked, between two chunks': (part: Buffer) => [
      `transfer-encoding: chunked\r\n\r\n${part.length.toString(16)}\r\n`,
      part,
      '\r\n',
    ],
  };
  for (const [way, written] of Object.entries(ways)) {
    shop.serve('/cut', (response) => {
      const parts = written(FEED.subarray(0, 1_000)).map((part) => Buffer.from(part));
      response.socket?.end(Buffer.concat([Buffer.from('HTTP/1.1 200 OK\r\n'), ...parts]));
    });
    await expect(readAll('/cut'), way).rejects.toThrow(BrokenFeed);
  }
});

test('a feed is refused if its server sends it as a part of a larger one', async () => {
  shop.serve('/part', (response) =>
    response.writeHead(206, { 'content-range': 'bytes 0-99/*' }).end(FEED.subarray(0, 100)),
  );
  await expect(readAll('/part')).rejects.toThrow(
    'answered with a part of the feed (206): ask the shop for an address of all of it',
  );
});

test('an archive is refused wherever it is cut off', async () => {
  const packed = gzipSync('id\ttitle\n1\tLamp\n');
  const unpack = async (length: number) => {
    for await (const _ of gunzipIfNeeded(inPieces(packed.subarray(0, length), []), { maxBytes: 1_000 }));
  };
  await unpack(packed.length);
  for (let length = 2; length < packed.length; length++) {
    await expect(unpack(length), `${length} of ${packed.length} bytes`).rejects.toThrow(BrokenFeed);
  }
});
