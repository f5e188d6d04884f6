/** Articles: guides in Markdown about categories and products. */
import type PrismaTypes from '../../generated/pothos.ts';
import { encodeId } from '../../values/id.ts';
import { isSlug } from '../../values/slug.ts';
import { wordsOf } from '../../values/words.ts';
import { builder, type Context } from '../builder.ts';
import { Category } from '../category/category.ts';
import { cost } from '../field-cost.ts';
import { emptyPage, type List, type Page, type PageArguments, readPage, TOTAL_WEIGHT } from '../page.ts';
import { Product } from '../product/product.ts';
import { readQuery } from '../search/text-search.ts';
import { type ARTICLE, ARTICLE_COLUMNS, type ArticleRow } from './columns.ts';

export const Article = builder.prismaObject<'Article', [], PrismaTypes['Article'], unknown, typeof ARTICLE>('Article', {
  description: 'A buying guide.',
  fields: (t) => ({
    slug: t.exposeString('slug', { description: 'The name used in URLs. It never changes.' }),
    title: t.exposeString('title', { description: 'The title.' }),
    summary: t.exposeString('summary', { description: 'A summary in one or two sentences.' }),
    body: t.exposeString('body', { description: 'The text in Markdown.' }),
    category: t.field({
      type: Category,
      nullable: true,
      description: 'The category of the article, or null.',
      resolve: ({ categoryId }, _arguments, { loaders }) =>
        categoryId === null ? null : loaders.category.load(categoryId),
    }),
    productSlugs: t.stringList({
      ...cost({ items: 5 }),
      description: 'The slugs of the products that the article mentions, in its order.',
      resolve: ({ productSlugs }) => productSlugs,
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
    publishedAt: t.field({
      type: 'DateTime',
      description: 'When it was published.',
      resolve: ({ publishedAt }) => publishedAt,
    }),
    updatedAt: t.field({
      type: 'DateTime',
      description: 'When it last changed.',
      resolve: ({ updatedAt }) => updatedAt,
    }),
    url: t.string({
      description: 'The URL of the article.',
      resolve: ({ slug }, _arguments, { market }) => `${market.publicUrl}/api/v1/articles?slug=${slug}`,
    }),
  }),
});

builder.nodeRef(Article, {
  id: { resolve: (article: ArticleRow) => encodeId('article', article.id) },
  loadOne: (id, { prisma }) => prisma.article.findUnique({ where: { id: BigInt(id) } }),
});

interface ArticleFilterInput {
  query?: string | null | undefined;
  category?: string | null | undefined;
  slug?: string | null | undefined;
}

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
  { filter, ...page }: PageArguments & { filter?: ArticleFilterInput | null | undefined },
  { catalogue, loaders }: Context,
): Promise<Page<ArticleRow>> {
  const typed = readQuery(filter?.query);
  const words = typed === undefined ? undefined : wordsOf(typed);
  const tree = filter?.category == null ? undefined : await loaders.categoryTree();
  const category = tree?.find(filter?.category ?? '');
  const isNowhere = (tree && !category) || (filter?.slug != null && !isSlug(filter.slug));
  if (words?.length === 0 || isNowhere) return emptyPage();
  const list: List<ArticleRow> = {
    description: JSON.stringify(['articles', filter ?? {}]),
    columns: ARTICLE_COLUMNS,
    table: 'article',
    from: 'article',
    conditions: (bind) => [
      ...(words ? [`article.search @@ ${bind(words.map((word) => `'${word}':*`).join(' & '))}::tsquery`] : []),
      ...(tree && category ? [`article.category_id = ANY (${bind(tree.withAllBelow(category))}::bigint[])`] : []),
      ...(filter?.slug == null ? [] : [`article.slug = ${bind(filter.slug)}`]),
    ],
    order: {
      name: 'newest',
      keys: [
        { sql: 'article.published_at', type: 'timestamptz' },
        { sql: 'article.id', type: 'bigint' },
      ],
      isDescending: true,
      placeOf: (row) => [row.publishedAt.toISOString(), String(row.id)],
    },
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
      fields: (c) => ({
        totalCount: c.int({
          ...cost({ weight: TOTAL_WEIGHT }),
          description: 'The number of articles in the list, at most 10000.',
          resolve: async (page) => (await page.total()).count,
        }),
      }),
    },
    { name: 'ArticleEdge', description: 'An article in a list.' },
  ),
);
