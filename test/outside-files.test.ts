/** Tests and benchmarks pass in a clone that stands alone: nothing there reads a file outside the repository that may be missing. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');

/** The only program that names the folder beside the repository, and those that may ask it for files there. */
const SHARED_FILE_MODULE = 'test/harness/shared-file.ts';
const READERS = ['bench/catalogue.ts', 'bench/goods.ts', 'test/harness/shared-data.ts'];

/** Paths that are never opened, or may be missing. */
const HARMLESS: Readonly<Record<string, readonly string[]>> = {
  'test/cli/pda.test.ts': ['file:///srv/feed.xml'],
  'test/deploy/deploy.test.ts': ['/usr/bin/node'],
  'test/fuzz/openapi.test.ts': ['..'],
  'test/harness/fuzz.ts': ['../../../../etc/passwd'],
  'test/harness/postgres-server.ts': ['/usr/lib/postgresql'],
};

// Where a clone, what lies beside it, or what is installed on a machine may be.
const ABSOLUTE = /^(file:\/\/)?\/(home|media|mnt|opt|root|srv|usr|Users|var|work)\//;

/** The paths in a program that leave the repository, as they are written there. @param file its path in the repository. */
function pathsOutside(file: string, text: string): string[] {
  const found: string[] = [];
  // Benchmarks are bundled before they run.
  const place = file.startsWith('bench/') ? 'dist/scripts' : dirname(file);
  const look = (base: string, parts: readonly string[]) => {
    const path = join(...parts);
    const isOutside = /^\.\.(\/|$)/.test(normalize(join(base, path))) || ABSOLUTE.test(parts[0] ?? '');
    if (isOutside && !HARMLESS[file]?.includes(parts.join('/'))) found.push(parts.join('/'));
  };
  const visit = (node: ts.Node): void => {
    // Modules, which the type check finds missing.
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || isImportCall(node)) return;
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
      // A path in parts, such as `join(import.meta.dirname, '..', file)` or `new URL('../x', import.meta.url)`. What is unknown counts as inside.
      const words = node.arguments?.map(wordOf) ?? [];
      const parts = words.filter((word) => word !== undefined);
      if (parts.some((word) => word.startsWith('..')) && words.length > 1) {
        look(node.arguments?.some(isOwnPlace) ? place : '.', parts);
        return;
      }
    }
    const word = wordOf(node);
    if (word !== undefined) look('.', [word]);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest));
  return found;
}

/** A text, or a part of one between its values. A part such as `/../x` continues a path that counts as inside. */
function wordOf(node: ts.Node): string | undefined {
  if (ts.isTemplateExpression(node)) return node.head.text;
  const isPart = ts.isStringLiteralLike(node) || ts.isTemplateMiddleOrTemplateTail(node);
  return isPart ? node.text.replace(/^\/(?=\.\.(\/|$))/, '') : undefined;
}
/** `import.meta.dirname`, `import.meta.url`. */
const isOwnPlace = (node: ts.Node) => ts.isPropertyAccessExpression(node) && ts.isMetaProperty(node.expression);
const isImportCall = (node: ts.Node) =>
  ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword;

const programs = ['test', 'bench', 'examples'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(ts|tsx|js|mjs)$/.test(file) && !file.includes('node_modules'))
    .map((file) => join(folder, file))
    .filter((file) => file !== 'test/outside-files.test.ts'),
);
const textOf = (file: string) => readFileSync(join(root, file), 'utf8');

describe('a test or benchmark', () => {
  test('names no path outside the repository, except in the one module that says whether it exists', () => {
    const found = programs.flatMap((file) => pathsOutside(file, textOf(file)).map((path) => `${file}: ${path}`));
    expect(found).toEqual([`${SHARED_FILE_MODULE}: ../shared/data`]);
  });

  test('gets data from there only through the function that skips tests without it; benchmarks do without', () => {
    const readers = programs.filter((file) => /from '[^']*\/shared-file\.ts'/.test(textOf(file)));
    expect(readers.sort()).toEqual(READERS);
  });
});
