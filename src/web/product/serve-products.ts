/** `/products/<slug>`: the public page of a product, and its charts. */
import type { Context } from '../../catalogue/builder.ts';
import { tagsOfVariants } from '../../catalogue/product/variant.ts';
import { TaggedCache } from '../../catalogue/tagged-cache.ts';
import { type Tag, tagOf } from '../../catalogue/tags.ts';
import type { ChartLook } from '../../chart/look.ts';
import { drawPriceChart, PICTURE_HEADERS } from '../../chart/price-chart.tsx';
import { present } from '../../database/batch.ts';
import type { Handler } from '../../http/exchange.ts';
import { type FreeWork, PRICE_OF_PAGE } from '../../http/free-work.ts';
import { type Keeping, openKeeping, respond, type WrittenAnswer, writeAnswer } from '../../rest/kept-answers.ts';
import { dayOf } from '../../values/day.ts';
import { decodeId } from '../../values/id.ts';
import { writePage } from '../answer-page.tsx';
import type { Site } from '../layout.tsx';
import { noSuchProduct, productPage } from './page.tsx';
import { openShownProducts, type ShownProduct } from './product.ts';

const PATH =
  /^\/products\/(?<slug>[a-z0-9-]{1,200})(?:\/price-history-(?<measures>wide|narrow)-(?<colours>light|dark)\.svg)?$/;
// A page's charts are asked for just after it. A product of many offers takes 100 kB.
const MOST_PRODUCTS = 50;
const CACHE = { 'Cache-Control': 'public, max-age=60' };

/** Serves products. Pages and charts are cached like REST responses, because they are not metered. */
export function serveProducts(
  shared: Omit<Context, 'access'>,
  keeping: Keeping,
  site: Site,
  freeWork: FreeWork,
): Handler {
  const readProduct = openShownProducts();
  const { version } = keeping;
  const products = new TaggedCache<string, { product: ShownProduct; tags: readonly Tag[] }>(version.changes, {
    max: MOST_PRODUCTS,
  });
  const findProduct = async (slug: string, context: Context) => {
    const key = `${dayOf(Date.now())} ${slug}`;
    const known = version.known() === undefined ? undefined : products.get(key);
    if (known) return known;
    const { seen } = version.changes;
    const product = await readProduct(slug, context);
    if (!product) throw new NoSuchProduct();
    const id = present(decodeId('product', product.id));
    const tags = [tagOf('product', id), ...(await tagsOfVariants(product.id, context))];
    products.set(key, { product, tags }, tags, seen);
    return { product, tags };
  };
  const keepWork = openKeeping(keeping);

  const pageOf = (slug: string, product: ShownProduct) =>
    writePage(productPage(slug, product, shared.market.publicUrl), site, { headers: CACHE });
  let nothing: WrittenAnswer | undefined;

  return async (exchange) => {
    const { pathname, access } = exchange;
    try {
      const { slug, measures, colours } = PATH.exec(pathname)?.groups ?? {};
      if (slug === undefined) throw new NoSuchProduct();
      // The key contains the day, because the history ends today.
      const key = `${dayOf(Date.now())} ${pathname}`;
      const work = async () => {
        const { product, tags } = await findProduct(slug, { ...shared, access });
        const answer =
          measures === undefined ? pageOf(slug, product) : writePicture(product, { measures, colours } as ChartLook);
        return { answer, tags: () => tags };
      };
      return respond(exchange, await keepWork(key, work, freeWork.queued(exchange, PRICE_OF_PAGE)));
    } catch (error) {
      if (!(error instanceof NoSuchProduct)) throw error;
      nothing ??= writePage(noSuchProduct(), site, { status: 404, headers: CACHE });
      return respond(exchange, nothing);
    }
  };
}

/** Thrown so that the response for an unknown product is not cached. */
class NoSuchProduct extends Error {}

function writePicture({ name, priceHistory }: ShownProduct, look: ChartLook) {
  return writeAnswer(drawPriceChart({ title: name, ...priceHistory }, look), {
    ...PICTURE_HEADERS,
    ...CACHE,
    'Content-Type': 'image/svg+xml',
  });
}
