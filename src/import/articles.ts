/** Imports a folder of Markdown files as articles: all of them, or none if one cannot be used. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TAG } from '../catalogue/tags.ts';
import type { Database, Queryable } from '../database/database.ts';
import { foldName } from '../values/words.ts';
import { type ArticleFile, BrokenArticle, parseArticle } from './article-file.ts';
import { raiseVersion } from './figures.ts';
import type { FileSummary } from './import-request.ts';
import { recordTags } from './invalidation.ts';
import { BrokenFeed, unreadable } from './reject.ts';
import { searchVector } from './search-words.ts';

/**
 * Imports the `.md` files of a folder, identified by their slugs; an article that the folder no longer has stays.
 * @throws {BrokenArticle} when a file cannot be used, names an unknown category or product, or shares its slug with another.
 * @throws {BrokenFeed} when the folder cannot be read or has no such file.
 */
export async function importArticles(database: Database, folder: string): Promise<FileSummary> {
  const articles = await readFolder(folder);
  refuseSharedSlugs(articles);
  return database.transaction(async (transaction) => {
    const categoryIds = await findCategories(transaction, articles);
    await refuseUnknownProducts(transaction, articles);
    const [{ added, changed } = NONE] = await transaction.query<typeof NONE>(WRITE, [
      ...(['slug', 'title', 'summary', 'body'] as const).map((member) => articles.map((article) => article[member])),
      categoryIds,
      articles.map(({ products }) => products.join(' ')),
      articles.map(({ title, summary, body }) => foldName(`${title} ${summary} ${body}`)),
      articles.map(({ publishedAt }) => publishedAt),
    ]);
    if (added + changed > 0) await recordTags(transaction, await raiseVersion(transaction), [TAG.articles]);
    return { read: articles.length, new: added, changed, same: articles.length - added - changed };
  });
}

async function readFolder(folder: string): Promise<ArticleFile[]> {
  const names = await readdir(folder).catch((cause: unknown) => {
    throw unreadable(folder, cause);
  });
  const files = names.filter((name) => /\.md$/i.test(name)).sort();
  if (files.length === 0) throw new BrokenFeed(`The folder ${folder} has no Markdown file (*.md).`);
  return Promise.all(files.map(async (file) => parseArticle(file, await readFile(join(folder, file), 'utf8'))));
}

function refuseSharedSlugs(articles: readonly ArticleFile[]): void {
  const files = new Map<string, string>();
  for (const { slug, file, lineOf } of articles) {
    const other = files.get(slug);
    const detail = `the slug ${slug} is also that of ${other}: give one of them another.`;
    if (other !== undefined) throw new BrokenArticle(file, lineOf('slug'), detail);
    files.set(slug, file);
  }
}

/** The id of each article's category, in the articles' order. */
async function findCategories(transaction: Queryable, articles: readonly ArticleFile[]): Promise<(bigint | null)[]> {
  const named = articles.flatMap(({ category }) => category ?? []);
  const rows = await transaction.query<{ id: bigint; slug: string; google_id: string }>(
    'SELECT id, slug, google_id::text AS google_id FROM category WHERE slug = ANY ($1::text[]) OR google_id::text = ANY ($1::text[])',
    [named],
  );
  const ids = new Map(rows.flatMap(({ id, slug, google_id }) => [[slug, id] as const, [google_id, id] as const]));
  return articles.map(({ category, file, lineOf }) => {
    if (category === undefined) return null;
    const id = ids.get(category);
    if (id !== undefined) return id;
    const detail = `there is no category ${category}: take its slug from /api/v1/categories, or import the taxonomy first.`;
    throw new BrokenArticle(file, lineOf('category'), detail);
  });
}

async function refuseUnknownProducts(transaction: Queryable, articles: readonly ArticleFile[]): Promise<void> {
  const slugs = articles.flatMap(({ products }) => products);
  const find = 'SELECT slug FROM product WHERE slug = ANY ($1::text[])';
  const rows = await transaction.query<{ slug: string }>(find, [slugs]);
  const known = new Set(rows.map(({ slug }) => slug));
  for (const { products, file, lineOf } of articles) {
    const unknown = products.find((slug) => !known.has(slug));
    const detail = `there is no product ${unknown}: take its slug from /api/v1/products, or import its feed first.`;
    if (unknown !== undefined) throw new BrokenArticle(file, lineOf('products'), detail);
  }
}

const NONE = { added: 0, changed: 0 };

// Slugs have no blanks, so lists of them can be sent as texts.
const WRITE = `
  WITH given AS (
    SELECT slug, title, summary, body, category_id, string_to_array(products, ' ') AS product_slugs, words, published_at
    FROM unnest(
      $1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::text[], $7::text[], $8::timestamptz[]
    ) AS given (slug, title, summary, body, category_id, products, words, published_at)
  ), changed AS (
    UPDATE article
    SET title = given.title,
        summary = given.summary,
        body = given.body,
        category_id = given.category_id,
        product_slugs = given.product_slugs,
        search = ${searchVector('given.words')},
        published_at = given.published_at,
        updated_at = now()
    FROM given
    WHERE article.slug = given.slug
      AND (article.title, article.summary, article.body, article.category_id, article.product_slugs, article.published_at)
          IS DISTINCT FROM
          (given.title, given.summary, given.body, given.category_id, given.product_slugs, given.published_at)
    RETURNING 1
  ), added AS (
    INSERT INTO article (slug, title, summary, body, category_id, product_slugs, search, published_at, updated_at)
    SELECT slug, title, summary, body, category_id, product_slugs, ${searchVector('words')}, published_at, now()
    FROM given
    WHERE NOT EXISTS (SELECT FROM article WHERE article.slug = given.slug)
    ORDER BY published_at, slug COLLATE "C"
    RETURNING 1
  )
  SELECT (SELECT count(*)::int FROM added) AS added, (SELECT count(*)::int FROM changed) AS changed`;
