/** The addresses of PostgreSQL that DATABASE_URL may name: one server, or several in libpq's notation. */
import { expect, test } from 'vitest';
import { readConfig } from '../src/config.ts';
import { describeHosts, readHosts } from '../src/database/hosts.ts';

test.each([
  ['postgresql://one/name', ['postgresql://one/name'], false],
  [
    'postgres://me:s%40cret@one:5433/name?sslmode=require',
    ['postgres://me:s%40cret@one:5433/name?sslmode=require'],
    false,
  ],
  ['postgresql://one/name?target_session_attrs=read-write', ['postgresql://one/name'], true],
  ['postgresql://me@one:1,two:2/name', ['postgresql://me@one:1/name', 'postgresql://me@two:2/name'], true],
  [
    'postgresql://me@one,[::1]:2/name?target_session_attrs=any',
    ['postgresql://me@one/name', 'postgresql://me@[::1]:2/name'],
    false,
  ],
])('%s is parsed', (url, urls, mustWrite) => {
  expect(readHosts(url)).toEqual({ urls, mustWrite });
  expect(readConfig({ DATABASE_URL: url }).databaseUrl).toBe(url);
});

test.each([
  'mysql://one/name',
  'postgresql://one,,two/name',
  'postgresql://one:port/name',
  'postgresql://one:1,two:99999/name',
  'postgresql://one,two/name?target_session_attrs=standby',
])('%s is refused with an example', (url) => {
  expect(() => readConfig({ DATABASE_URL: url })).toThrow(/DATABASE_URL: must be a URL such as .*one:5432,two:5432/);
});

test('the log names all servers, and no password', () => {
  const hosts = readHosts('postgresql://me:hunter2@one:1,two/name');
  expect(hosts && describeHosts(hosts)).toBe('PostgreSQL at one:1, two:5432/name');
});
