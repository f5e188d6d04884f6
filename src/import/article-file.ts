/** Parses a Markdown file with front matter into a checked article; errors name the file and the line. */
import { isMap, isScalar, LineCounter, parseDocument } from 'yaml';
import * as z from 'zod';
import { isSlug, slugOf } from '../values/slug.ts';
import { parseTimestamp } from '../values/timestamp.ts';
import { BrokenFeed } from './reject.ts';

export interface ArticleFile {
  file: string;
  slug: string;
  title: string;
  summary: string;
  /** Markdown. */
  body: string;
  /** The slug or Google's id of a category. */
  category?: string | undefined;
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
const NOT_A_TIMESTAMP = 'must be a day such as 2026-01-31 or a time such as 2026-01-31T08:00:00Z';

const FrontMatter = z.strictObject({
  title: text(200),
  summary: text(500),
  slug: z.string().refine(isSlug, 'must be lower-case letters, digits and hyphens').optional(),
  category: z
    .union([z.string().min(1), z.int()], 'must be the slug or the Google id of a category')
    .transform(String)
    .optional(),
  products: z
    .array(z.string(), 'must be a list of product slugs')
    .max(50, 'must name at most 50 products')
    .refine((slugs) => new Set(slugs).size === slugs.length, 'names a product twice')
    .default([]),
  published: z.preprocess((written) => typeof written === 'string' && parseTimestamp(written), z.date(NOT_A_TIMESTAMP)),
});

/** Reads front matter between `---` and `---`, then the text. The file's name is the slug by default. @throws {BrokenArticle} */
export function parseArticle(file: string, content: string): ArticleFile {
  const lines = content.replace(/^\uFEFF/, '').split(/\r?\n/);
  const end = lines.findIndex((line, index) => index > 0 && line.trimEnd() === '---');
  if (lines[0]?.trimEnd() !== '---' || end < 0) {
    const detail = 'begin with a line ---, then title, summary and published, then a line ---.';
    throw new BrokenArticle(file, 1, `the front matter is missing: ${detail}`);
  }
  const counter = new LineCounter();
  // Dates stay texts, so that they are parsed once, below.
  const yaml = parseDocument(lines.slice(1, end).join('\n'), { lineCounter: counter, schema: 'core' });
  // The front matter begins on the file's second line.
  const lineAt = (offset: number) => counter.linePos(offset).line + 1;
  const [fault] = yaml.errors;
  if (fault)
    throw new BrokenArticle(file, lineAt(fault.pos[0]), `this is not valid YAML: ${fault.message.split('\n')[0]}`);
  const lineOf = (member: string) => {
    const pair = isMap(yaml.contents) && yaml.contents.items.find(({ key }) => isScalar(key) && key.value === member);
    return pair && isScalar(pair.key) && pair.key.range ? lineAt(pair.key.range[0]) : 1;
  };
  const parsed = FrontMatter.safeParse(yaml.toJS() ?? {});
  if (!parsed.success) throw faultOf(file, parsed.error, lineOf);
  const body = lines
    .slice(end + 1)
    .join('\n')
    .trim();
  if (body === '') throw new BrokenArticle(file, end + 1, 'there is no text after the front matter.');
  const { slug = slugOf(file.replace(/\.md$/i, ''), 'article'), published: publishedAt, ...stated } = parsed.data;
  return { ...stated, file, slug, body, publishedAt, lineOf };
}

function faultOf(file: string, { issues }: z.ZodError, lineOf: (member: string) => number): BrokenArticle {
  const [issue] = issues;
  if (issue?.code === 'unrecognized_keys') {
    const [member = ''] = issue.keys;
    const known = Object.keys(FrontMatter.shape).join(', ');
    return new BrokenArticle(file, lineOf(member), `\`${member}\` is unknown: the members are ${known}.`);
  }
  const member = String(issue?.path[0] ?? '');
  if (member === '') return new BrokenArticle(file, 2, 'the front matter must be members such as `title: A title`.');
  return new BrokenArticle(file, lineOf(member), `\`${member}\` ${issue?.message ?? 'is wrong'}.`);
}
