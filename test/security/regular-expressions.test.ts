/** No regular expression has nested repetition, so no text can cause catastrophic backtracking. */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { reconstruct, type Tokens, type tokenizer, types } from 'ret';
import safeRegex from 'safe-regex2';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';

// The export of this package differs from its types.
const tokenize: typeof tokenizer = createRequire(import.meta.url)('ret');

const SOURCE = join(import.meta.dirname, '..', '..', 'src');

interface Found {
  file: string;
  /** The pattern; `undefined` if it is built at run time. */
  pattern: string | undefined;
}

/** All regular expressions of the source: literals and calls of `RegExp`. */
function findPatterns(): Found[] {
  const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => /\.tsx?$/.test(file) && !file.startsWith('generated'))
    .flatMap((file) => patternsIn(join(SOURCE, file)));
}

function patternsIn(path: string): Found[] {
  const found: Found[] = [];
  const file = relative(SOURCE, path);
  const visit = (node: ts.Node) => {
    if (ts.isRegularExpressionLiteral(node)) {
      found.push({ file, pattern: node.text.slice(1, node.text.lastIndexOf('/')) });
    } else if ((ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText() === 'RegExp') {
      const [pattern] = node.arguments ?? [];
      found.push({ file, pattern: pattern && ts.isStringLiteralLike(pattern) ? pattern.text : undefined });
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true));
  return found;
}

/** Removes `?`: safe-regex2 counts it as a repetition, although it repeats nothing. */
function withoutOptions(token: Tokens): Tokens {
  const within = (tokens: Tokens[]) => tokens.map(withoutOptions);
  if (token.type === types.REPETITION) {
    const value = withoutOptions(token.value);
    const isOption = token.max === 1;
    return (isOption ? { type: types.GROUP, remember: false, stack: [value] } : { ...token, value }) as Tokens;
  }
  if (token.type !== types.GROUP && token.type !== types.ROOT) return token;
  return {
    ...token,
    ...(token.stack && { stack: within(token.stack) }),
    ...(token.options && { options: token.options.map(within) }),
  } as Tokens;
}

/** Turns lookbehinds, which the parser does not know, into lookaheads with the same repetitions. */
const parse = (pattern: string) => tokenize(pattern.replace(/\(\?<([=!])/g, '(?$1'));

const isSafe = (pattern: string) => safeRegex(reconstruct(withoutOptions(parse(pattern))), { limit: 1_000 });

const PATTERNS = findPatterns();

describe('nested repetition', () => {
  test.each([
    '(a+)+',
    '(?:a|b*)*',
    '((a+)?b)*',
    '^(?:<!--[^]*?-->\\s*)*$',
    '(?<name>\\w+\\s?){2,}',
  ])('is detected in %s', (pattern) => expect(isSafe(pattern)).toBe(false));

  test.each([
    '(?:a+b?)?',
    '[+*]+',
    '\\(\\+\\)+',
    '^\\d{4}(?:-\\d{2})?$',
    '(?<=a+)b',
  ])('is not reported for %s', (pattern) => expect(isSafe(pattern)).toBe(true));

  test('is in no regular expression of the service', () => {
    const patterns = PATTERNS.filter((each) => each.pattern !== undefined);
    expect(patterns.length).toBeGreaterThan(150);
    expect(patterns.filter(({ pattern = '' }) => !isSafe(pattern))).toEqual([]);
  });

  test('cannot come from input, because patterns are built only from constants', () => {
    const made = PATTERNS.filter(({ pattern }) => pattern === undefined);
    // A character class built from a table, and the paths of the route table.
    expect(made.map(({ file }) => file).sort()).toEqual(['http/router.ts', 'values/words.ts']);
  });
});
