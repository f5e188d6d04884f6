/** The deals of the front page, as tiles. */
import { priceFormat } from '../values/price-format.ts';
import type { FrontDeal } from './front-deals.ts';
import { Picture } from './picture.tsx';
import { shippingRemark } from './product/words.ts';

export function Deals({ deals, currency }: { deals: readonly FrontDeal[]; currency: string }) {
  if (deals.length === 0) return null;
  const amount = priceFormat(currency);
  return (
    <section aria-labelledby="deals">
      <h2 id="deals">Current deals</h2>
      <ul class="tiles">
        {deals.map(({ price, previous, percent, product, offer }) => (
          <li key={offer.id} class="card tile">
            <Picture name={product.brandName ?? product.name} image={product.image} size={96} />
            <div>
              {product.brandName && <p class="tile-brand">{product.brandName}</p>}
              <h3 class="tile-name">
                <a href={product.url}>{product.name}</a>
              </h3>
              <p class="tile-price">
                <strong>{amount(price)}</strong> <span class="badge good">−{Math.floor(percent)} %</span>
              </p>
              <p class="muted small">
                before {amount(previous)}
                {shippingRemark(offer.shippingKnown)}, at{'\u00a0'}
                <a href={offer.url} rel="nofollow sponsored">
                  {offer.merchantName}
                </a>
              </p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
