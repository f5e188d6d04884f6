/** Parses a Markdown file with front matter into a checked article; errors name the file and the line. */
import { type Document, isMap, isScalar, LineCounter, parseDocument } from 'yaml';
import { z } from 'zod';
import { isSlug, slugOf } from '../values/slug.ts';
import { parseTimestamp } from '../values/timestamp.ts';
import { BrokenFeed } from './reject.ts';

/** An article as its file states it. */
export interface ArticleFile {
  file: string;
  slug: string;
  title: string;
  summary: string;
  /** Markdown. */
  body: string;
  /** The slug or Google's id of a category. */
  category: string | undefined;
  /** Slugs. */
  products: string[];
  publishedAt: Date;
  /** The line of a member of the front matter; the first line if it is missing. */
  lineOf(member: string): number;
}

/** The files cannot be used, so nothing was changed. The message starts with the file and the line. */
export class BrokenArticle extends BrokenFeed {
  override name = 'BrokenArticle';

  constructor(file: string, line: number, detail: string) {
    super(`${file}, line ${line}: ${detail}`);
  }
}

const text = (longest: number) => {
  const error = `must be a text of 1 to ${longest} characters`;
  return z.string(error).trim().min(1, error).max(longest, error);
};
const NOT_A_TIMESTAMP = 'must be a day such as 2026-01-31 or a moment such as 2026-01-31T08:00:00Z';

const FrontMatter = z.strictObject({
  title: text(200),
  summary: text(500),
  slug: z.string().refine(isSlug, 'must be lower-case letters, digits and hyphens').optional(),
  category: z.union([z.string().min(1), z.int()], 'must be the slug or the Google id of a category').optional(),
  products: z
    .array(z.string(), 'must be a list of product slugs')
    .max(50, 'may name 50 products')
    .refine((slugs) => new Set(slugs).size === slugs.length, 'names a product twice')
    .default([]),
  published: z.string(NOT_A_TIMESTAMP).transform((written, context) => {
    const timestamp = parseTimestamp(written);
    if (timestamp) return timestamp;
    context.addIssue({ code: 'custom', message: NOT_A_TIMESTAMP });
    return z.NEVER;
  }),
});

/**
 * Reads a file: front matter between `---` and `---`, then the text.
 *
 * @param file its name, which gives the slug where the front matter does not.
 * @throws {BrokenArticle} for front matter that is missing, no YAML, or has a wrong, missing or unknown member; for no text.
 */
export function parseArticle(file: string, content: string): ArticleFile {
  const lines = content.replace(/^\uFEFF/, '').split(/\r?\n/);
  const end = lines.findIndex((line, index) => index > 0 && line.trimEnd() === '---');
  if (lines[0]?.trimEnd() !== '---' || end < 0) {
    const detail =
      'the front matter is missing: begin with a line ---, then title, summary and published, then a line ---.';
    throw new BrokenArticle(file, 1, detail);
  }
  const counter = new LineCounter();
  // Dates stay texts, so that they are parsed once, below.
  const yaml = parseDocument(lines.slice(1, end).join('\n'), { lineCounter: counter, schema: 'core' });
  // The front matter begins on the file's second line.
  const lineAt = (offset: number) => counter.linePos(offset).line + 1;
  const [fault] = yaml.errors;
  if (fault) throw new BrokenArticle(file, lineAt(fault.pos[0]), `this is no YAML: ${fault.message.split('\n')[0]}`);
  const lineOf = (member: string) => {
    const offset = offsetOf(yaml, member);
    return offset === undefined ? 1 : lineAt(offset);
  };
  const parsed = FrontMatter.safeParse(yaml.toJS() ?? {});
  if (!parsed.success) throw faultOf(file, parsed.error, lineOf);
  const body = lines
    .slice(end + 1)
    .join('\n')
    .trim();
  if (body === '') throw new BrokenArticle(file, end + 1, 'there is no text behind the front matter.');
  const { title, summary, slug, category, products, published } = parsed.data;
  return {
    file,
    slug: slug ?? slugOf(file.replace(/\.md$/i, ''), 'article'),
    title,
    summary,
    body,
    category: category === undefined ? undefined : String(category),
    products,
    publishedAt: published,
    lineOf,
  };
}

function faultOf(file: string, { issues }: z.ZodError, lineOf: (member: string) => number): BrokenArticle {
  const [issue] = issues;
  if (issue?.code === 'unrecognized_keys') {
    const [member = ''] = issue.keys;
    const known = Object.keys(FrontMatter.shape).join(', ');
    return new BrokenArticle(file, lineOf(member), `\`${member}\` is not known: there are ${known}.`);
  }
  const member = String(issue?.path[0] ?? '');
  if (member === '') return new BrokenArticle(file, 2, 'the front matter must be members such as `title: A title`.');
  return new BrokenArticle(file, lineOf(member), `\`${member}\` ${issue?.message ?? 'is wrong'}.`);
}

/** The offset of a member in the front matter. */
function offsetOf(yaml: Document, member: string): number | undefined {
  if (!isMap(yaml.contents)) return undefined;
  const pair = yaml.contents.items.find(({ key }) => isScalar(key) && key.value === member);
  return isScalar(pair?.key) ? pair.key.range?.[0] : undefined;
}
