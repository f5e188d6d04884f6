/** Keeps the docs complete: they must name each variable, error code, metric and route of the code. */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ENVIRONMENT_VARIABLES, readConfig } from '../src/config.ts';
import { REJECT_REASON, REJECT_REASONS } from '../src/import/reject.ts';
import { TOOL_ROUTES } from '../src/mcp/tools.ts';
import { openMetrics } from '../src/operations/metrics.ts';
import { PROBLEMS } from '../src/problem.ts';
import { EXPORT_ROUTES } from '../src/rest/exports/export-routes.ts';
import { ROUTES } from '../src/rest/routes.ts';

const read = (file: string) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');

describe('the documentation', () => {
  test.each(ENVIRONMENT_VARIABLES)('explains the environment variable %s', (name) => {
    expect(read('docs/configuration.md')).toContain(`| \`${name}\` |`);
  });

  test('lists no unknown environment variable', () => {
    const named = [...read('docs/configuration.md').matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, name]) => name);
    expect(named.sort()).toEqual([...ENVIRONMENT_VARIABLES].sort());
  });

  test.each(Object.entries(PROBLEMS))('explains the error code %s with its status', (code, { status }) => {
    expect(read('docs/errors.md')).toContain(`<a id="${code}"></a>\`${code}\` | ${status} |`);
  });

  test.each(REJECT_REASONS)('explains the reject reason %s and how to fix it', (reason) => {
    const { meaning, fix } = REJECT_REASON[reason];
    expect(read('docs/importing.md')).toContain(`| \`${reason}\` | ${meaning} | ${fix} |`);
  });

  test.each([...ROUTES, ...EXPORT_ROUTES].map(({ path }) => path))('shows the route %s', (path) => {
    expect(read('docs/api.md')).toContain(path);
  });

  test.each([...TOOL_ROUTES])('shows the tool %s with its route', (name, { path }) => {
    const row = read('docs/agents.md')
      .split('\n')
      .find((line) => line.startsWith('|') && line.includes(`\`${name}\``));
    expect(row).toContain(`\`${path}\``);
  });

  test('explains every metric of our own', async () => {
    const metrics = (await openMetrics().registry.getMetricsAsJSON()).map(({ name }) => name);
    for (const name of metrics.filter((each) => each.startsWith('pda_'))) {
      expect(read('docs/operations.md')).toContain(`| \`${name}\` |`);
    }
  });

  test.each(['SECURITY.md', 'docs/reliability.md'])('%s names only existing files as proofs', (page) => {
    const paths = [...read(page).matchAll(/`((?:\.ci|src|test)\/[\w./-]+)`/g)].map(([, path = '']) => path);
    expect(paths.length).toBeGreaterThan(10);
    expect(paths.filter((path) => !existsSync(new URL(`../${path}`, import.meta.url)))).toEqual([]);
  });

  test('starts the README with the two commands', () => {
    expect(read('README.md').split('## ')[0]).toMatch(/npm ci && npm start\b.*\nnpm ci && npm test\n/);
  });
});

describe('the configuration', () => {
  test.each([
    ['PORT', 'seventy', 'PORT'],
    ['DATABASE_URL', 'mysql://host/name', 'DATABASE_URL'],
    ['DATABASE_REPLICA_URLS', 'mysql://host/name', 'DATABASE_REPLICA_URLS'],
    ['DATABASE_REPLICA_URLS', 'postgresql://a/b,c', 'DATABASE_REPLICA_URLS'],
    ['DATABASE_REPLICA_URLS', 'postgresql://a/b', 'replicas of the database at DATABASE_URL'],
    ['PUBLIC_URL', 'api.example.com', 'PUBLIC_URL'],
    ['PRODUCT_URL_TEMPLATE', 'https://shop.example/p', 'PRODUCT_URL_TEMPLATE'],
    ['PRODUCT_URL_TEMPLATE', '/p/{slug}', 'PRODUCT_URL_TEMPLATE'],
    ['PRODUCT_URL_TEMPLATE', 'ftp://shop.example/{slug}', 'PRODUCT_URL_TEMPLATE'],
    ['PRODUCT_URL_TEMPLATE', 'https://shop.example/{name}/{id}', '{slug}, {id} or both'],
    ['WORKERS', 'many', 'from 1 to 256, or auto'],
    ['REDIS_URL', 'http://host', 'REDIS_URL'],
    ['REDIS_URL', 'redis://one,two', 'REDIS_URL'],
    ['REDIS_CLUSTER', 'true', 'REDIS_URL'],
    ['MARKET_CURRENCY', 'EURO', 'MARKET_CURRENCY'],
    ['MARKET_COUNTRY', 'Germany', 'MARKET_COUNTRY'],
    ['CORS_ORIGINS', 'shop.example', 'CORS_ORIGINS'],
    ['LOG_LEVEL', 'loud', 'LOG_LEVEL'],
    ['RATE_LIMIT_FREE', '0', 'RATE_LIMIT_FREE'],
  ])('refuses %s=%s with a message that names it', (name, value, named) => {
    expect(() => readConfig({ [name]: value })).toThrow(named);
  });

  test('treats an empty variable as unset', () => {
    expect(readConfig({ PORT: '', DATABASE_URL: '', MARKET_CURRENCY: '' })).toEqual(readConfig({}));
  });
});
