/**
 * Where a feed may be fetched from: no address or redirect makes the importer contact anything but the public internet. All
 * connections of the tests go to servers on the loopback. Other addresses are refused before a connection is opened, which the
 * requests that Node reports prove.
 */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { type ClientRequest, createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, LookupFunction } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type OpenFeedOptions, openFeed } from '../../src/import/readers/source.ts';
import { isPublicAddress } from '../../src/network/public-address.ts';

const REFUSED = 'is not on the public internet';

let servers: Server[];
let asked: string[];
const note = (message: unknown) => {
  const { request } = message as { request: ClientRequest };
  asked.push(`${request.host}`);
};
beforeEach(() => {
  servers = [];
  asked = [];
  subscribe('http.client.request.start', note);
});
afterEach(() => {
  unsubscribe('http.client.request.start', note);
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

/** Starts a server on the loopback and counts its connections. */
async function serve(listener: RequestListener): Promise<{ address: string; port: number; connections(): number }> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  servers.push(server);
  let connections = 0;
  server.on('connection', () => {
    connections += 1;
  });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { address: `http://127.0.0.1:${port}`, port, connections: () => connections };
}

/** The text of a feed, or the message that refuses it. */
async function fetchFeed(location: string, options: OpenFeedOptions = {}): Promise<string> {
  try {
    const chunks: Uint8Array[] = [];
    for await (const chunk of (await openFeed(location, options)).bytes) chunks.push(chunk);
    return Buffer.concat(chunks).toString();
  } catch (error) {
    return String(error);
  }
}

/** A resolver that returns these addresses for every name. */
function namesAt(...addresses: string[]): LookupFunction & { names: string[] } {
  const names: string[] = [];
  const lookup: LookupFunction = (hostname, options, done) => {
    names.push(hostname);
    const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    if (options.all) done(null, found);
    else done(null, found[0]?.address ?? '', found[0]?.family);
  };
  return Object.assign(lookup, { names });
}

describe('an address is public', () => {
  test.each([
    '1.1.1.1',
    '93.184.216.34',
    '2606:4700::1111',
    '[2606:4700::1111]',
    '::ffff:1.1.1.1',
    '64:ff9b::101:101',
  ])('when it is %s', (address) => expect(isPublicAddress(address)).toBe(true));

  // One of each entry of IANA's special-purpose registries, and the metadata addresses of clouds.
  test.each(
    `0.0.0.0 0.1.2.3 10.1.2.3 100.64.0.1 100.100.100.200 127.0.0.1 127.255.255.254 168.63.129.16 169.254.169.254 172.16.0.1
     172.31.255.255 192.0.0.1 192.0.0.192 192.0.2.1 192.88.99.1 192.168.0.1 198.18.0.1 198.51.100.1 203.0.113.1 224.0.0.1
     239.255.255.255 240.0.0.1 255.255.255.255
     :: ::1 ::127.0.0.1 ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:a9fe:a9fe 64:ff9b::7f00:1 64:ff9b::a9fe:a9fe 64:ff9b:1::1
     100::1 2001::1 2001:2::1 2001:10::1 2001:20::1 2001:db8::1 2002:7f00:1:: 3fff::1 5f00::1 fc00::1 fd00:ec2::254 fe80::1
     fec0::1 ff02::1 [::1]`
      .split(/\s+/)
      .filter(Boolean),
  )('but not when it is %s', (address) => expect(isPublicAddress(address)).toBe(false));

  test.each(['', 'localhost', 'shop.example', '1.2.3.4.5', '::g'])('nor when it is invalid, as "%s"', (text) => {
    expect(isPublicAddress(text)).toBe(false);
  });
});

describe('a feed is not fetched from', () => {
  test.each([
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0x7f.0.0.1',
    '0177.0.0.1',
    '017700000001',
    '127.0.0.1.',
    '0',
    '0.0.0.0',
    '%31%32%37.0.0.1',
    '127。0。0。1',
    'localhost',
    'LOCALHOST',
  ])('this machine, written as %s', async (host) => {
    const server = await serve((_, response) => response.end('id\n1\n'));
    const text = await fetchFeed(`http://${host}:${server.port}/feed`);
    expect(text).toContain(REFUSED);
    expect(text).toContain('--allow-private');
    expect(server.connections()).toBe(0);
  });

  test.each([
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://[64:ff9b::a9fe:a9fe]/',
    'http://[fe80::1]/',
    'http://[fd00:ec2::254]/latest/meta-data/',
    'http://169.254.169.254/latest/meta-data/',
    'http://2852039166/latest/meta-data/',
    'https://10.0.0.1/',
    'http://192.168.0.1:8080/',
    'http://100.64.0.1/',
    'http://224.0.0.1/',
  ])('a network that is not public: %s', async (address) => {
    expect(await fetchFeed(address)).toContain(REFUSED);
    expect(asked).toEqual([]);
  });

  test.each([
    'http://1.1.1.1:25/',
    'https://shop.example:22/feed',
    'http://[2606:4700::1111]:1023/',
    'http://shop.example:0/',
  ])('the port of a system service: %s', async (address) => {
    const text = await fetchFeed(address, { lookup: namesAt('1.1.1.1') });
    expect(text).toContain('reserved for system services, so it was not fetched');
    expect(text).toContain('--allow-private');
    expect(asked).toEqual([]);
  });

  test('a host name with only private addresses, for http and https', async () => {
    const server = await serve((_, response) => response.end('id\n1\n'));
    const lookup = namesAt('127.0.0.1', '::1', '::ffff:127.0.0.1');
    for (const scheme of ['http', 'https']) {
      const text = await fetchFeed(`${scheme}://shop.example:${server.port}/feed?token=secret`, { lookup });
      expect(text).toContain(`${scheme}://shop.example:${server.port}/feed ${REFUSED}`);
    }
    expect(server.connections()).toBe(0);
  });

  test('a host name that changes from a public to a private address before the connection', async () => {
    const server = await serve((_, response) => response.end('id\n1\n'));
    const lookup = namesAt('127.0.0.1');
    expect(await fetchFeed(`http://rebinding.example:${server.port}/`, { lookup })).toContain(REFUSED);
    // The check and the connection use the same single lookup, so the address cannot change in between.
    expect(lookup.names).toEqual(['rebinding.example']);
    expect(server.connections()).toBe(0);
  });
});

describe('an address that --allow-private permits', () => {
  const isPrivateAllowed = true;

  test('is fetched, by IP address and by name', async () => {
    const server = await serve((_, response) => response.end('id\n1\n'));
    expect(await fetchFeed(`${server.address}/feed`, { isPrivateAllowed })).toBe('id\n1\n');
    const lookup = namesAt('127.0.0.1');
    expect(await fetchFeed(`http://feeds.internal:${server.port}/feed`, { isPrivateAllowed, lookup })).toBe('id\n1\n');
  });

  test.each([
    'http://169.254.169.254/latest/meta-data/',
    'http://[::ffff:169.254.169.254]/',
    'http://0xa9fea9fe/',
    'https://10.0.0.1/',
    'http://[::1]:6379/',
    '//127.0.0.2/',
    'http://localhost/',
  ])('may not redirect to another private address: %s', async (location) => {
    const server = await serve((_, response) => response.writeHead(302, { location }).end());
    expect(await fetchFeed(`${server.address}/feed`, { isPrivateAllowed })).toContain(REFUSED);
    expect(asked.filter((host) => host !== 'localhost')).toEqual(['127.0.0.1']);
    expect(server.connections()).toBe(1);
  });

  test('nor to the port of a system service', async () => {
    const location = 'http://1.1.1.1:25/';
    const server = await serve((_, response) => response.writeHead(302, { location }).end());
    const text = await fetchFeed(`${server.address}/feed`, { isPrivateAllowed });
    expect(text).toContain('http://1.1.1.1:25/ uses port 25, which is reserved for system services');
    expect(asked).toEqual(['127.0.0.1']);
    // The named host itself may have any port: nothing listens on this one, which is a different error.
    expect(await fetchFeed('http://127.0.0.1:9/feed', { isPrivateAllowed })).toContain('cannot be fetched');
  });

  test('nor to another port of its own machine', async () => {
    const other = await serve((_, response) => response.end('id\nsecret\n'));
    const server = await serve((_, response) => response.writeHead(302, { location: `${other.address}/feed` }).end());
    expect(await fetchFeed(`${server.address}/feed`, { isPrivateAllowed })).toContain(REFUSED);
    expect(other.connections()).toBe(0);
  });

  test.each([
    'file:///etc/passwd',
    'ftp://shop.example/feed',
    'data:text/plain,id',
    'gopher://127.0.0.1:6379/_',
    'http://',
  ])('nor to another protocol: %s', async (location) => {
    const server = await serve((_, response) => response.writeHead(301, { location }).end());
    expect(await fetchFeed(`${server.address}/feed`, { isPrivateAllowed })).toContain('an address that is not http(s)');
  });

  test('may redirect within itself at most five times', async () => {
    const server = await serve((request, response) => {
      const left = Number(request.url?.slice(1));
      if (left > 0) response.writeHead(307, { location: `/${left - 1}` }).end();
      else response.end('id\n1\n');
    });
    expect(await fetchFeed(`${server.address}/5`, { isPrivateAllowed })).toBe('id\n1\n');
    expect(await fetchFeed(`${server.address}/6`, { isPrivateAllowed })).toContain('redirects more than 5 times');
  });
});

describe('a password in the address', () => {
  // The same host under https is another origin, and the only one that a server on the loopback can be redirected to.
  test('is sent only to its own origin, even after a redirect', async () => {
    const sent: [string, unknown][] = [];
    const record = (message: unknown) => {
      const { request } = message as { request: ClientRequest };
      sent.push([`${request.protocol}//${request.host}${request.path}`, request.getHeader('authorization')]);
    };
    const server = await serve((request, response) => {
      const location = request.url === '/first' ? '/second' : `https://x:y@a.example:${server.port}/feed`;
      response.writeHead(302, { location }).end();
    });
    subscribe('http.client.request.start', record);
    const text = await fetchFeed(`http://me:secret@a.example:${server.port}/first`, {
      isPrivateAllowed: true,
      lookup: namesAt('127.0.0.1'),
    });
    unsubscribe('http.client.request.start', record);
    const basic = `Basic ${Buffer.from('me:secret').toString('base64')}`;
    expect(sent).toEqual([
      ['http://a.example/first', basic],
      ['http://a.example/second', basic],
      ['https://a.example/feed', undefined],
    ]);
    expect(text).not.toMatch(/secret|x:y/);
  });
});

describe('a slow server', () => {
  test('may not exceed the time limit of a feed, even if it keeps sending', async () => {
    const server = await serve((_, response) => {
      response.write('id\n');
      const timer = setInterval(() => response.write('1\n'), 5);
      response.on('close', () => clearInterval(timer));
    });
    const text = await fetchFeed(`${server.address}/`, { isPrivateAllowed: true, timeoutMs: 5_000, totalMs: 200 });
    expect(text).toContain('took longer than 0.2 seconds in all');
  });
});

describe('a compressed response', () => {
  test('is unpacked if it is gzip, even if the feed itself is gzip as well', async () => {
    const server = await serve((request, response) => {
      const feed = gzipSync('id\n1\n');
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(request.url === '/twice' ? gzipSync(feed) : feed);
    });
    for (const path of ['/once', '/twice']) {
      expect(await fetchFeed(server.address + path, { isPrivateAllowed: true })).toBe('id\n1\n');
    }
  });

  test('is limited in its unpacked size', async () => {
    const server = await serve((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(gzipSync('a'.repeat(100_000))));
    });
    const text = await fetchFeed(`${server.address}/`, { isPrivateAllowed: true, maxBytes: 99_999 });
    expect(text).toContain('larger than 99999 bytes');
  });

  test('is refused if its content coding is not supported', async () => {
    const server = await serve((_, response) => response.writeHead(200, { 'content-encoding': 'br' }).end('x'));
    expect(await fetchFeed(`${server.address}/`, { isPrivateAllowed: true })).toContain('with the content coding br');
  });
});
