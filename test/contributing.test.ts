/** Checks the contributor guide: its edits, applied to a copy of the project, have the effects that it describes. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ask, posting } from './harness/gateway.ts';
import { fillHome, makeHome } from './harness/home.ts';
import { forTest } from './harness/lifetime.ts';
import { startServerProcess } from './harness/process.ts';

const root = join(import.meta.dirname, '..');
const guide = readFileSync(join(root, 'docs/contributing.md'), 'utf8');

interface Edit {
  file: string;
  lines: string[];
}

/** The edits in a section of the guide: each diff block with the file that was last named before it. */
function editsOf(heading: string): Edit[] {
  const section = guide.split(/^## /m).find((each) => each.startsWith(heading)) ?? '';
  return Array.from(
    section.matchAll(/^\d\. `([^`]+)`[\s\S]*?```diff\n([\s\S]*?)```/gm),
    ([, file = '', block = '']) => ({ file, lines: block.trimEnd().split('\n') }),
  );
}

/** Inserts the added lines of an edit after the context lines that precede them. */
function apply(folder: string, { file, lines }: Edit): void {
  const path = join(folder, file);
  const firstAdded = lines.findIndex((line) => line.startsWith('+'));
  const before = lines.slice(0, firstAdded).map((line) => line.slice(1));
  const added = lines.filter((line) => line.startsWith('+')).map((line) => line.slice(1));
  if (before.length === 0) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${added.join('\n')}\n`);
    return;
  }
  const text = readFileSync(path, 'utf8');
  const place = `${before.join('\n')}\n`;
  expect(text.split(place).length, `${file} has the lines once`).toBe(2);
  writeFileSync(path, text.replace(place, `${place}${added.join('\n')}\n`));
}

describe('the guide', () => {
  test('names files that exist', () => {
    const named = Array.from(guide.matchAll(/`((?:src|prisma|docs)\/[^`<]+)`/g), ([, file = '']) => file);
    expect(named.length).toBeGreaterThan(10);
    for (const file of named) expect([file, existsSync(join(root, file))]).toEqual([file, true]);
  });

  test.each([
    ['Expose an existing column', 3],
    ['Add a plan', 2],
  ])('asks for the stated number of edits: %s', (heading, most) => {
    expect(editsOf(heading)).toHaveLength(most);
  });
});

describe.runIf(process.env.HEAVY)('a copy of the project with the edits (set HEAVY to run these)', () => {
  let copy: string;
  beforeAll(async () => {
    copy = mkdtempSync(join(tmpdir(), 'pda-contributing-'));
    const files = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).trim().split('\n');
    for (const file of files) cpSync(join(root, file), join(copy, file));
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
    for (const heading of ['Expose an existing column', 'Add a plan']) {
      for (const edit of editsOf(heading)) apply(copy, edit);
    }
    for (const words of [['run-script.js', 'codegen.ts'], ['build.js'], ['node_modules/typescript/bin/tsc']]) {
      execFileSync(process.execPath, words, { cwd: copy, stdio: 'pipe' });
    }
  });
  afterAll(() => rmSync(copy, { recursive: true, force: true }));

  test('returns the column over REST and GraphQL, and issues keys for the plan', async () => {
    const home = await forTest(makeHome());
    const key = await fillHome(home);
    const server = await forTest(startServerProcess(home.environment, copy));
    const rest = await ask(`${server.address}/api/v1/products/thing-a`, { key });
    expect(rest.body.data.popularity).toBe(1);
    const query = '{ product(id: "thing-a") { popularity } }';
    const graphql = await ask(`${server.address}/graphql`, { key, ...posting({ query }) });
    expect(graphql.body.data).toEqual({ product: { popularity: 1 } });
    const made = execFileSync(
      process.execPath,
      ['dist/pda.js', 'keys', 'create', '--name', 'B', '--plan', 'team', '--json'],
      { cwd: copy, env: { PATH: process.env.PATH, ...home.environment }, encoding: 'utf8' },
    );
    const lookup = await ask(`${server.address}/api/v1/products/thing-a`, { key: JSON.parse(made).key });
    expect([lookup.status, lookup.headers.get('x-plan')]).toEqual([200, 'team']);
    expect(lookup.headers.get('ratelimit-policy')).toContain('q=300');
  });
});
