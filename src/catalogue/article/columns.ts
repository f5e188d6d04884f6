/** The columns of an article that loaders and lists read. */
import { columnsOf } from '../../database/columns.ts';
import type { Prisma } from '../../generated/prisma/client.ts';

/** Declared once: the row type, the GraphQL type and the statements derive from it. */
export const ARTICLE = {
  id: true,
  slug: true,
  title: true,
  summary: true,
  body: true,
  categoryId: true,
  productSlugs: true,
  publishedAt: true,
  updatedAt: true,
} as const satisfies Prisma.ArticleSelect;

export type ArticleRow = Prisma.ArticleGetPayload<{ select: typeof ARTICLE }>;

export const ARTICLE_COLUMNS = columnsOf('Article', ARTICLE);
