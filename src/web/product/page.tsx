/** The page of a product: its data, offers and price history. */
import { counted } from '../../values/counted.ts';
import { dayFormatIn } from '../../values/day-format.ts';
import { priceFormat } from '../../values/price-format.ts';
import { DataBlock, Facts, type Page } from '../layout.tsx';
import { History } from './history.tsx';
import { cheapestInStock, Offers, remarksOn } from './offers.tsx';
import type { ShownProduct } from './product.ts';
import { structuredData } from './structured-data.ts';
import { Variants } from './variants.tsx';
import { attributeName, shippingRemark } from './words.ts';

/** @param publicUrl the base URL for links in structured data. */
export function productPage(slug: string, product: ShownProduct, publicUrl: string): Page {
  const { name } = product;
  return {
    title: name,
    description: describe(product),
    path: `/products/${slug}`,
    head: <Head product={product} publicUrl={publicUrl} />,
    content: <Content slug={slug} product={product} />,
    styles: ['product-page.css'],
    scripts: ['product.js'],
  };
}

/** The page for the URL of an unknown product. */
export const noSuchProduct = (reason = 'No product has this URL. Check it for typing errors.'): Page => ({
  title: 'Product not found',
  description: 'No product has this URL.',
  path: '/products',
  content: (
    <>
      <h1>Product not found</h1>
      <p class="lede">{reason}</p>
      <p>
        Or <a href="/">look up a product</a> by its EAN, GTIN or ASIN.
      </p>
    </>
  ),
  width: 'reading',
  head: <meta name="robots" content="noindex" />,
});

/** The lowest price in stock, or of all offers if none is in stock; null without an offer. */
function lowestOf({ offers, priceStats: { min, minShippingKnown } }: ShownProduct) {
  const { totalPrice = min, shippingKnown = minShippingKnown } = cheapestInStock(offers) ?? {};
  return { lowest: totalPrice, remark: shippingRemark(shippingKnown) };
}

function describe(product: ShownProduct): string {
  const { name, description, priceStats } = product;
  const { lowest, remark } = lowestOf(product);
  const price =
    lowest === null
      ? `${name}: price history and details.`
      : `${name} from ${priceFormat(priceStats.currency)(lowest)}${remark}, ${counted(priceStats.offerCount, 'offer')} compared.`;
  const more = description ? ` ${description.replace(/\s+/g, ' ')}` : '';
  return price.length + more.length <= 200 ? price + more : `${(price + more).slice(0, 199)}…`;
}

function Head({ product, publicUrl }: { product: ShownProduct; publicUrl: string }) {
  const { name, url, image, priceStats } = product;
  const { lowest } = lowestOf(product);
  const graph: [string, string | null][] = [
    ['og:type', 'product'],
    ['og:site_name', 'Product Data API'],
    ['og:title', name],
    ['og:description', describe(product)],
    ['og:url', url],
    ['og:image', image],
    ['product:price:amount', lowest === null ? null : String(lowest)],
    ['product:price:currency', lowest === null ? null : priceStats.currency],
  ];
  return (
    <>
      <link rel="canonical" href={url} />
      {graph.map(
        ([property, content]) => content !== null && <meta key={property} property={property} content={content} />,
      )}
      <DataBlock type="application/ld+json" data={structuredData(product, publicUrl)} />
    </>
  );
}

function Content({ slug, product }: { slug: string; product: ShownProduct }) {
  const { name, brandName, image, description, attributes, categoryPath, offers, priceStats } = product;
  return (
    <article class="product">
      {categoryPath.length > 0 && (
        <nav class="breadcrumb" aria-label="Category">
          <ol>
            {categoryPath.map((category) => (
              <li key={category.name}>{category.name}</li>
            ))}
          </ol>
        </nav>
      )}
      <header class="product-head">
        {/* Browsers load no other images here: see security-headers.ts. */}
        {image?.startsWith('https://') && (
          <img class="product-image" src={image} alt="" width="240" height="240" referrerpolicy="no-referrer" />
        )}
        <div>
          {brandName && <p class="product-brand">{brandName}</p>}
          <h1>{name}</h1>
          <Statistics product={product} />
          <Identifiers identifiers={product.identifiers} />
        </div>
      </header>
      <Variants product={product} />
      <section>
        <h2>Offers</h2>
        <Offers offers={offers} currency={priceStats.currency} />
        {offers.length < priceStats.offerCount && (
          <p class="notice">
            These are the {offers.length} cheapest of {priceStats.offerCount} offers. The API lists all of them.
          </p>
        )}
      </section>
      <section>
        <h2>Price history</h2>
        <History slug={slug} chart={{ title: name, ...product.priceHistory }} />
        {offers.some(({ shippingKnown }) => !shippingKnown) && (
          <p class="muted small">
            Prices of shops that do not state their shipping are without it, also the lowest ever.
          </p>
        )}
      </section>
      {(description || attributes) && (
        <section>
          <h2>Details</h2>
          {description && <p class="product-description">{description}</p>}
          {attributes && (
            <Facts
              look="facts"
              facts={attributes.map((attribute) => [attributeName(attribute.name), attribute.value])}
            />
          )}
        </section>
      )}
    </article>
  );
}

/** The figures under the name, those of goods in stock first. */
function Statistics({ product: { offers, priceStats, priceHistory, historyInStock } }: { product: ShownProduct }) {
  const { currency, offerCount } = priceStats;
  const price = priceFormat(currency);
  const inStock = cheapestInStock(offers);
  const low = (of: { price: number; date: string } | null) =>
    of && `${price(of.price)} on ${dayFormatIn(of.date, priceHistory.to)}`;
  const [lowest, lowestInStockEver] = [low(priceHistory.lowestEver), low(historyInStock.lowestEver)];
  const soldOut = offers.filter(({ availability }) => availability === 'out_of_stock').length;
  return (
    <Facts
      look="product-figures"
      facts={[
        [
          'Lowest in stock',
          inStock === undefined
            ? offerCount > 0
              ? 'Not in stock'
              : null
            : price(inStock.totalPrice) + remarksOn(inStock, offers),
        ],
        // Equal unless the lowest price was one of sold-out goods, or from before stock was recorded.
        ['Lowest ever in stock', lowestInStockEver === lowest ? null : lowestInStockEver],
        ['Lowest ever', lowest],
        ['Offers', soldOut > 0 ? `${offerCount}, ${soldOut} sold out` : String(offerCount)],
      ]}
    />
  );
}

function Identifiers({ identifiers: { ean, asin, mpn } }: { identifiers: ShownProduct['identifiers'] }) {
  const list = (values: readonly string[]) => values.join(', ') || null;
  return (
    <Facts
      look="facts"
      facts={[
        ['EAN/GTIN', list(ean)],
        ['ASIN', list(asin)],
        ['MPN', mpn || null],
      ]}
    />
  );
}
