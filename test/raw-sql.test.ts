/** All SQL is in the files that docs/architecture.md lists, so that readers of its table know all of it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const text = (file: string) => readFileSync(join(root, file), 'utf8');

const ROW = /^\| (?:[`a-z_, ]+|–) \| (`[^|]+`) \| `(src\/[^`]+)` \|/gm;
const homes = Array.from(text('docs/architecture.md').matchAll(ROW), ([, names = '', file = '']) => ({
  names: Array.from(names.matchAll(/`([^`]+)`/g), ([, name = '']) => name),
  file,
}));

const ANYWHERE = /^src\/(database|import|generated)\//;
const COMMENT = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*/g;
// The keywords with which our statements and their clauses start, and Prisma's methods that send SQL.
const SQL =
  /\b(SELECT\b(?! \{)|INSERT INTO|UPDATE [a-z_]+ SET|DELETE FROM|CREATE (TABLE|INDEX|ROLE)|(queryRaw|executeRaw)(Unsafe)?\b)/;

const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => join('src', file));
const withSql = files.filter((file) => !ANYWHERE.test(file) && SQL.test(text(file).replace(COMMENT, '')));

test('all SQL outside the database and the importer is in the files that docs/architecture.md lists', () => {
  expect(withSql).toContain('src/access/keys.ts');
  expect(withSql.length).toBeGreaterThan(15);
  const listed = homes.map(({ file }) => file);
  expect(withSql.filter((file) => !listed.includes(file))).toEqual([]);
  for (const { names, file } of homes) {
    for (const name of names) expect([file, new RegExp(`\\b${name}\\b`).test(text(file))]).toEqual([file, true]);
  }
});
