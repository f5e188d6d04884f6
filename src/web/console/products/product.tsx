/** `/console/products/{id}`: who contributed what to a product, its first offers, and its price history. */
import type { ComponentChildren } from 'preact';
import { graphql } from '../../../graphql/document.ts';
import { describeIdentifiers } from '../../../import/identifier-report.ts';
import { counted } from '../../../values/counted.ts';
import { External } from '../../external-text.tsx';
import { History } from '../../product/history.tsx';
import type { ConsoleRoute } from '../visit.ts';
import { openVisitQuery } from '../visit-query.ts';
import { Contributions, IdentifierTable } from './identifiers.tsx';
import { readOffers } from './offer-pages.ts';
import { OfferTable } from './offer-table.tsx';
import { idOf, PRODUCTS_PATH, productPath } from './paths.ts';

/** What a product's page shows besides its contributions. */
const DOCUMENT = graphql(`
  query ConsoleProductPage($id: ID!, $days: Int!) {
    product(id: $id) {
      brandName
      categoryPath { name }
      identifiers { mpn }
      priceHistory(days: $days) {
        currency
        interval
        from
        to
        lowestEver { price date }
        points { date min max avg inStock minInStock }
      }
    }
  }`);

const readPage = openVisitQuery(DOCUMENT);

export const productRoute: ConsoleRoute = {
  path: `${PRODUCTS_PATH}/{id}`,
  async show(visit) {
    const { database, market } = visit.services;
    const { number, id } = idOf(visit);
    const report = await describeIdentifiers(database, id);
    const [offers, { product }] = await Promise.all([
      readOffers(database, number, { first: FEW_OFFERS }),
      readPage(visit, { id, days: DAYS }),
    ]);
    const { name, slug } = report.product;
    return {
      title: 'Product',
      section: PRODUCTS_PATH,
      styles: ['product-page.css', 'console-pages.css'],
      content: (
        <>
          <p class="lede">
            <External>{name}</External>
          </p>
          <dl class="facts">
            <Fact name="Id">{id}</Fact>
            <Fact name="Slug">{slug}</Fact>
            {product?.brandName && (
              <Fact name="Brand">
                <External>{product.brandName}</External>
              </Fact>
            )}
            {product && product.categoryPath.length > 0 && (
              <Fact name="Category">{product.categoryPath.map((category) => category.name).join(' › ')}</Fact>
            )}
            {product?.identifiers.mpn && (
              <Fact name="MPN">
                <External>{product.identifiers.mpn}</External>
              </Fact>
            )}
          </dl>
          <p class="actions">
            <a class="button quiet small" href={`/products/${slug}`}>
              Public page
            </a>
            <a class="button quiet small" href={`${productPath(id)}/ledger`}>
              Raw ledger
            </a>
          </p>
          <section>
            <h2>Identifiers</h2>
            <IdentifierTable id={id} identifiers={report.identifiers} />
            {report.unrecordedOffers > 0 && (
              <p class="muted">
                {counted(report.unrecordedOffers, 'offer')} without a record of contributions: the next imports of their
                shops add it.
              </p>
            )}
          </section>
          <Contributions report={report} />
          <section>
            <h2>Offers</h2>
            <OfferTable offers={offers.offers} currency={market.currency} />
            {offers.next !== undefined && (
              <p>
                <a class="button quiet small" href={`${productPath(id)}/offers`}>
                  All offers
                </a>
              </p>
            )}
          </section>
          {product && (
            <section>
              <h2>Price history</h2>
              <History slug={slug} chart={{ title: name, ...product.priceHistory }} />
            </section>
          )}
        </>
      ),
    };
  },
};

const FEW_OFFERS = 20;
// Half a year, by day, as on the public page, whose picture is shown here too.
const DAYS = 180;

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
