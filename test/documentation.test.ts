/** Keeps the docs complete: they must name each variable, error code, metric and route of the code. */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ENVIRONMENT_VARIABLES, readConfig } from '../src/config.ts';
import { REJECT_REASON, REJECT_REASONS } from '../src/import/reject.ts';
import { TOOL_ROUTES } from '../src/mcp/tools.ts';
import { PROBLEMS } from '../src/problem.ts';
import { EXPORT_ROUTES } from '../src/rest/exports/export-routes.ts';
import { ROUTES } from '../src/rest/routes.ts';

const read = (file: string) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');

describe('the documentation', () => {
  test('explains exactly the environment variables that the service reads', () => {
    const named = [...read('docs/configuration.md').matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, name]) => name);
    expect(named.sort()).toEqual([...ENVIRONMENT_VARIABLES].sort());
  });

  test('explains every error code with its status, and every reason of a reject with its remedy', () => {
    const [errors, importing] = [read('docs/errors.md'), read('docs/importing.md')];
    for (const [code, { status }] of Object.entries(PROBLEMS)) {
      expect(errors).toContain(`<a id="${code}"></a>\`${code}\` | ${status} |`);
    }
    for (const reason of REJECT_REASONS) {
      const { meaning, fix } = REJECT_REASON[reason];
      expect(importing).toContain(`| \`${reason}\` | ${meaning} | ${fix} |`);
    }
  });

  test('shows every route, and every tool with its route', () => {
    const [api, rows] = [read('docs/api.md'), read('docs/agents.md').split('\n')];
    for (const { path } of [...ROUTES, ...EXPORT_ROUTES]) expect(api).toContain(path);
    for (const [name, { path }] of TOOL_ROUTES) {
      expect(rows.find((line) => line.startsWith('|') && line.includes(`\`${name}\``))).toContain(`\`${path}\``);
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
