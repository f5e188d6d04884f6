/** The page of a product: its data, offers and price history. */
import { counted } from '../../values/counted.ts';
import { priceFormat } from '../../values/price-format.ts';
import { DataBlock, Facts, type Page } from '../layout.tsx';
import { History } from './history.tsx';
import { Offers } from './offers.tsx';
import type { ShownProduct } from './product.ts';
import { structuredData } from './structured-data.ts';
import { attributeName } from './words.ts';

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
export const NO_SUCH_PRODUCT: Page = {
  title: 'Product not found',
  description: 'No product has this URL.',
  path: '/products',
  content: (
    <>
      <h1>Product not found</h1>
      <p class="lede">No product has this URL. Check it for typing errors.</p>
      <p>
        Or <a href="/">look up a product</a> by its EAN, GTIN or ASIN.
      </p>
    </>
  ),
  width: 'reading',
  head: <meta name="robots" content="noindex" />,
};

function describe({ name, description, priceStats: { currency, min, offerCount } }: ShownProduct): string {
  const price =
    min === null
      ? `${name}: price history and details.`
      : `${name} from ${priceFormat(currency)(min)}, ${counted(offerCount, 'offer')} compared.`;
  const more = description ? ` ${description.replace(/\s+/g, ' ')}` : '';
  return price.length + more.length <= 200 ? price + more : `${(price + more).slice(0, 199)}…`;
}

function Head({ product, publicUrl }: { product: ShownProduct; publicUrl: string }) {
  const { name, url, image, priceStats } = product;
  const graph: [string, string | null][] = [
    ['og:type', 'product'],
    ['og:site_name', 'Product Data API'],
    ['og:title', name],
    ['og:description', describe(product)],
    ['og:url', url],
    ['og:image', image],
    ['product:price:amount', priceStats.min === null ? null : String(priceStats.min)],
    ['product:price:currency', priceStats.min === null ? null : priceStats.currency],
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
  const { name, brandName, image, description, attributes, categoryPath, offers, priceStats, priceHistory } = product;
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
          <Statistics stats={priceStats} />
          <Identifiers identifiers={product.identifiers} />
        </div>
      </header>
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
        <History slug={slug} chart={{ title: name, ...priceHistory }} />
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

function Statistics({ stats: { currency, min, max, lowestEver, offerCount } }: { stats: ShownProduct['priceStats'] }) {
  const price = priceFormat(currency);
  const amount = (of: number | null) => (of === null ? null : price(of));
  return (
    <Facts
      look="product-figures"
      facts={[
        ['Lowest now', amount(min)],
        ['Highest now', amount(max)],
        ['Lowest ever', amount(lowestEver)],
        ['Offers', String(offerCount)],
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
