/** The named statements and loaders of articles. */
import { loadOne } from '../../database/batch.ts';
import type { Queryable } from '../../database/database.ts';
import { ARTICLE_COLUMNS, type ArticleRow } from './columns.ts';

// By the primary key.
const ARTICLES = `
  SELECT ${ARTICLE_COLUMNS}
  FROM article
  WHERE id = ANY ($1::bigint[])`;

export const articlesById = (database: Queryable) => loadOne<bigint, ArticleRow>(database, ARTICLES, (row) => row.id);
