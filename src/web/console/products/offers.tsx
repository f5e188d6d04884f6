/** `/console/products/{id}/offers`: all offers that a product lists, page by page. */
import { requireProduct } from '../../../import/identifier-name.ts';
import { NextPage } from '../next-page.tsx';
import type { ConsoleRoute } from '../visit.ts';
import { readOffers } from './offer-pages.ts';
import { OfferTable } from './offer-table.tsx';
import { idOf, PRODUCTS_PATH, productPath } from './paths.ts';
import { ProductLink } from './product-link.tsx';

const PAGE = 50;

export const offersRoute: ConsoleRoute = {
  path: `${PRODUCTS_PATH}/{id}/offers`,
  async show(visit) {
    const { database, market } = visit.services;
    const { id, number } = idOf(visit);
    const product = await requireProduct(database, id);
    const { offers, next } = await readOffers(database, number, { first: PAGE, after: visit.query.get('after') });
    return {
      title: 'Offers',
      section: PRODUCTS_PATH,
      styles: ['console-pages.css'],
      content: (
        <>
          <ProductLink id={id} name={product.name} />
          <OfferTable offers={offers} currency={market.currency} />
          <NextPage path={`${productPath(id)}/offers`} cursor={next} />
        </>
      ),
    };
  },
};
