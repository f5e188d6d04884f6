/** Imports Google's product taxonomy file into the category tree, from lines such as `267 - Electronics > … > Mobile Phones`. */
import { readFile } from 'node:fs/promises';
import type { Database } from '../database/database.ts';
import { slugOf } from '../values/slug.ts';
import { foldName } from '../values/words.ts';
import { enqueueBelow } from './due-products.ts';
import { raiseVersion, SUM_CATEGORIES } from './figures.ts';
import type { FileSummary } from './import-request.ts';
import { forgetAllContent } from './import-run.ts';
import { BrokenFeed, unreadable } from './reject.ts';
import { addToWordList, searchVector } from './search-words.ts';
import { soleValue } from './sole-value.ts';
import { noteProducts, recordChanges } from './stream.ts';
import { writeAlone } from './write-lock.ts';

interface Node {
  googleId: number;
  name: string;
  path: string;
  parentPath: string | null;
}

/**
 * Imports the file. Categories missing from it stay, since products may belong to them; a renamed category keeps its slug.
 * @throws {BrokenFeed}, with nothing changed, when a line has another format, or its parent is not on an earlier line.
 */
export async function importTaxonomy(database: Database, file: string): Promise<FileSummary> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw unreadable(file, cause);
  });
  const nodes = parseTaxonomy(text);
  const ids = nodes.map(({ googleId }) => googleId);
  const names = nodes.map(({ name }) => name);
  const slugs = names.map((name) => slugOf(name, 'category'));
  const words = names.map(foldName);
  const paths = nodes.map(({ path }) => path);
  // An import that places a product in a category meanwhile would be missed when products become due.
  return writeAlone(database, false, async (transaction) => {
    const changed = await soleValue<number>(transaction, CHANGE, [ids, names, paths, words]);
    const added = await soleValue<number>(transaction, ADD, [ids, slugs, names, paths, words]);
    const parentPaths = nodes.map(({ parentPath }) => parentPath);
    const moved = await transaction.query<{ id: bigint }>(SET_PARENTS, [paths, parentPaths]);
    await transaction.query(addToWordList('unnest($1::text[]) AS words'), [words]);
    await transaction.query(SUM_CATEGORIES);
    await enqueueBelow(
      transaction,
      moved.map(({ id }) => id),
    );
    await raiseVersion(transaction);
    await recordChanges(transaction, { observedAt: new Date(), merchantId: null });
    // Rows may now name a category that was unknown before.
    if (added + changed > 0) await forgetAllContent(transaction);
    return { read: nodes.length, new: added, changed, same: nodes.length - added - changed };
  });
}

/** @throws {BrokenFeed} as {@link importTaxonomy} does. */
function parseTaxonomy(text: string): Node[] {
  const nodes = new Map<string, Node>();
  const ids = new Set<number>();
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  for (const [index, raw] of lines.entries()) {
    const line = raw.trim();
    if (line === '' || line.startsWith('#')) continue;
    const at = { line: index + 1 };
    const [, id, words] = /^(\d{1,9}) - (.+)$/.exec(line) ?? [];
    if (!id || !words) {
      throw new BrokenFeed('Expected a line such as `1 - Animals & Pet Supplies`: use the taxonomy file with ids.', at);
    }
    const names = words.split(' > ').map((name) => name.trim());
    const path = names.join(' > ');
    const parentPath = names.length > 1 ? names.slice(0, -1).join(' > ') : null;
    if (parentPath !== null && !nodes.has(parentPath)) {
      const detail = `The parent category, ${parentPath}, is not on an earlier line: check that the file is complete.`;
      throw new BrokenFeed(detail, at);
    }
    if (nodes.has(path) || ids.has(Number(id)))
      throw new BrokenFeed(`${id} or ${path} is already on an earlier line: remove one of them.`, at);
    ids.add(Number(id));
    nodes.set(path, { googleId: Number(id), name: names.at(-1) ?? path, path, parentPath });
  }
  if (nodes.size === 0) throw new BrokenFeed('The taxonomy file contains no categories: check the path.');
  return [...nodes.values()];
}

const CHANGE = `
  WITH changed AS (
    UPDATE category
    SET name = node.name, path = node.path, sort_name = node.words, search = ${searchVector('node.words')}
    FROM unnest($1::int[], $2::text[], $3::text[], $4::text[]) AS node (google_id, name, path, words)
    WHERE category.google_id = node.google_id AND (category.name, category.path) IS DISTINCT FROM (node.name, node.path)
    RETURNING category.id, category.search
  ), noted AS (
    ${noteProducts('SELECT product.id FROM changed JOIN product ON product.category_id = changed.id')}
  ), found_by_name AS (
    UPDATE product_search
    SET search = product_search.search || changed.search
    FROM changed
    JOIN product ON product.category_id = changed.id
    WHERE product_search.product_id = product.id
  )
  SELECT count(*)::int AS count FROM changed`;

// If a name occurs in several branches, only the first gets the plain slug. The others get Google's id appended after two hyphens,
// which no slug made from a name can contain.
const ADD = `
  WITH added AS (
    INSERT INTO category (google_id, slug, name, path, sort_name, search)
    SELECT google_id,
           CASE WHEN is_first AND NOT EXISTS (SELECT FROM category WHERE category.slug = node.slug) THEN slug ELSE slug || '--' || google_id END,
           name, path, words, ${searchVector('words')}
    FROM (
      SELECT google_id, slug, name, path, words, position,
             row_number() OVER (PARTITION BY slug ORDER BY position) = 1 AS is_first
      FROM unnest($1::int[], $2::text[], $3::text[], $4::text[], $5::text[])
           WITH ORDINALITY AS node (google_id, slug, name, path, words, position)
    ) AS node
    WHERE NOT EXISTS (SELECT FROM category WHERE category.google_id = node.google_id)
    ORDER BY position
    RETURNING 1
  )
  SELECT count(*)::int AS count FROM added`;

const SET_PARENTS = `
  UPDATE category
  SET parent_id = parent.id
  FROM unnest($1::text[], $2::text[]) AS node (path, parent_path)
  LEFT JOIN category AS parent ON parent.path = node.parent_path
  WHERE category.path = node.path AND category.parent_id IS DISTINCT FROM parent.id
  RETURNING category.id`;
