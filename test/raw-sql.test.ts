/** SQL stands where the architecture says, so that a reader of the table in docs/architecture.md knows all of it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const text = (file: string) => readFileSync(join(root, file), 'utf8');

const ROW = /^\| (?:[`a-z_, ]+|–) \| (`[^|]+`) \| `(src\/[^`]+)` \|/gm;
const homes = Array.from(text('docs/architecture.md').matchAll(ROW), ([, names = '', file = '']) => ({
  names: Array.from(names.matchAll(/`([^`]+)`/g), ([, name = '']) => name),
  file,
}));

const ANYWHERE = /^src\/(database|import|generated)\//;
const COMMENT = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*/g;
// The words by which statements and their parts begin, as our SQL writes them, and Prisma's ways to send SQL.
const SQL =
  /\b(SELECT\b(?! \{)|INSERT INTO|UPDATE [a-z_]+ SET|DELETE FROM|CREATE (TABLE|INDEX|ROLE)|(queryRaw|executeRaw)(Unsafe)?\b)/;

const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => join('src', file));
const withSql = files.filter((file) => !ANYWHERE.test(file) && SQL.test(text(file).replace(COMMENT, '')));

describe('SQL outside the database and the importer', () => {
  test('is found by this test at all', () => {
    expect(withSql).toContain('src/access/keys.ts');
    expect(withSql.length).toBeGreaterThan(15);
  });

  test.each(withSql)('in %s is listed in docs/architecture.md', (file) => {
    expect(homes.map((home) => home.file)).toContain(file);
  });
});

describe('a listed statement', () => {
  test.each(homes.map(({ names, file }) => [names.join(', '), file] as const))('%s stands in %s', (names, file) => {
    for (const name of names.split(', ')) expect(text(file)).toMatch(new RegExp(`\\b${name}\\b`));
  });
});
