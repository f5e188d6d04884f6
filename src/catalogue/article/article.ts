/** Articles: guides in Markdown about categories and products. */
import { columnsOf } from '../../database/columns.ts';
import type { Prisma } from '../../generated/prisma/client.ts';
import { isSlug } from '../../values/slug.ts';
import { wordsOfQuery } from '../../values/words.ts';
import { builder, type Context, nodeOf } from '../builder.ts';
import { Category } from '../category/category.ts';
import { withAllBelow } from '../category/category-tree.ts';
import { cost } from '../field-cost.ts';
import { emptyPage, type Page, type PageArguments, totalCount } from '../page.ts';
import { Product } from '../product/product.ts';
import { type List, orderBy, readPage } from '../read-page.ts';
import { readQuery } from '../search/text-search.ts';
import { TAG } from '../tags.ts';

/** The columns that lists read. */
const ARTICLE = {
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

type ArticleRow = Prisma.ArticleGetPayload<{ select: typeof ARTICLE }>;

export const Article = builder.prismaNode<'Article', [], unknown, typeof ARTICLE>('Article', {
  ...nodeOf('article'),
  description: 'A buying guide.',
  fields: (t) => ({
    slug: t.exposeString('slug', { description: 'The name used in URLs. It never changes.' }),
    title: t.exposeString('title', { description: 'The title.' }),
    summary: t.exposeString('summary', { description: 'A summary in one or two sentences.' }),
    body: t.exposeString('body', { description: 'The text in Markdown.' }),
    category: t.field({
      type: Category,
      nullable: true,
      description: 'The category of the article; null if it has none.',
      resolve: ({ categoryId }, _arguments, { loaders }) =>
        categoryId === null ? null : loaders.category.load(categoryId),
    }),
    productSlugs: t.exposeStringList('productSlugs', {
      ...cost({ items: 5 }),
      description: 'The slugs of the products that the article mentions, in its order.',
    }),
    products: t.field({
      type: [Product],
      ...cost({ items: 5 }),
      description: 'The products that the article mentions, in its order.',
      resolve: async ({ productSlugs }, _arguments, { loaders }) => {
        const products = await Promise.all(productSlugs.map((slug) => loaders.productBySlug.load(slug)));
        return products.filter((product) => product !== undefined);
      },
    }),
    publishedAt: t.expose('publishedAt', { type: 'DateTime', description: 'When it was published.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it last changed.' }),
    url: t.string({
      description: 'The URL of the article.',
      resolve: ({ slug }, _arguments, { market }) => `${market.publicUrl}/api/v1/articles?slug=${slug}`,
    }),
  }),
});

const ArticleFilter = builder.inputType('ArticleFilter', {
  description: 'Selects articles. All conditions must match.',
  fields: (t) => ({
    query: t.string({ description: 'Words from the title, summary or text. Prefixes match too.' }),
    category: t.string({
      description: 'The slug or id of a category, including its subcategories. An unknown category matches nothing.',
    }),
    slug: t.string({ description: 'The slug of one article.' }),
  }),
});

async function readArticles(
  { filter, ...page }: PageArguments & { filter?: typeof ArticleFilter.$inferInput | null | undefined },
  { catalogue, loaders }: Context,
): Promise<Page<ArticleRow>> {
  const typed = readQuery(filter?.query);
  const words = typed === undefined ? undefined : wordsOfQuery(typed);
  const tree = filter?.category == null ? undefined : await loaders.categoryTree();
  const category = tree?.find(filter?.category ?? '');
  const isNowhere = (tree && !category) || (filter?.slug != null && !isSlug(filter.slug));
  if (words?.length === 0 || isNowhere) return emptyPage();
  const list: List<ArticleRow> = {
    description: JSON.stringify(['articles', filter ?? {}]),
    columns: columnsOf('Article', ARTICLE),
    table: 'article',
    from: 'article',
    dependsOn: [TAG.articles],
    conditions: (bind) => [
      ...(words ? [`article.search @@ ${bind(words.map((word) => `'${word}':*`).join(' & '))}::tsquery`] : []),
      ...(category ? [`article.category_id = ANY (${bind(withAllBelow(category))}::bigint[])`] : []),
      ...(filter?.slug == null ? [] : [`article.slug = ${bind(filter.slug)}`]),
    ],
    order: orderBy('newest', 'article', {
      sql: 'article.published_at',
      type: 'timestamptz',
      isDescending: true,
      of: (row) => row.publishedAt.toISOString(),
    }),
  };
  return readPage(catalogue, list, page);
}

builder.queryField('articles', (t) =>
  t.connection(
    {
      type: Article,
      description: 'Articles, newest first.',
      args: { filter: t.arg({ type: ArticleFilter, description: 'Selects articles; all by default.' }) },
      resolve: (_root, listArguments, context) => readArticles(listArguments, context),
    },
    {
      name: 'ArticleConnection',
      description: 'A page of articles.',
      fields: (c) => ({ totalCount: c.int(totalCount('articles')) }),
    },
    { name: 'ArticleEdge', description: 'An article in a list.' },
  ),
);
