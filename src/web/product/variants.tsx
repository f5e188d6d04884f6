/** The variants of a product as links that show what differs, with the product itself among them. */
import { counted } from '../../values/counted.ts';
import { priceFormat } from '../../values/price-format.ts';
import type { ShownProduct } from './product.ts';
import { AVAILABILITY, attributeName, shippingRemark } from './words.ts';

type ShownVariant = ShownProduct['variants'][number];
type Shown = Pick<ShownVariant, 'differs' | 'priceStats'> & { availability?: ShownVariant['availability'] };

// More would push the offers far down on a phone.
const MOST_SHOWN = 20;

export function Variants({ product }: { product: ShownProduct }) {
  const { name, variants, attributes, priceStats } = product;
  if (variants.length === 0) return null;
  const differing = new Set(variants.flatMap(({ differs }) => differs.map((attribute) => attribute.name)));
  const differs = (attributes ?? []).filter((attribute) => differing.has(attribute.name));
  return (
    <section>
      <h2>Variants</h2>
      <ul class="variants">
        <li>
          <span class="variant" aria-current="true">
            <Variant name={name} variant={{ differs, priceStats }} />
          </span>
        </li>
        <Links variants={variants.slice(0, MOST_SHOWN)} />
      </ul>
      {variants.length > MOST_SHOWN && (
        <details class="more-variants">
          <summary>{counted(variants.length - MOST_SHOWN, 'more variant')}</summary>
          <ul class="variants">
            <Links variants={variants.slice(MOST_SHOWN)} />
          </ul>
        </details>
      )}
    </section>
  );
}

function Links({ variants }: { variants: readonly ShownVariant[] }) {
  return (
    <>
      {variants.map((variant) => (
        <li key={variant.id}>
          <a class="variant" href={variant.url}>
            <Variant name={variant.name} variant={variant} />
          </a>
        </li>
      ))}
    </>
  );
}

/** A variant's differing values, or its name if the shops state none, and its lowest price. */
function Variant({ name, variant: { differs, priceStats, availability } }: { name: string; variant: Shown }) {
  const { min, minShippingKnown, currency } = priceStats;
  return (
    <>
      <span class="variant-values">
        {differs.length === 0
          ? name
          : differs.map((attribute, place) => (
              <span key={attribute.name} title={attributeName(attribute.name)}>
                {place > 0 && ', '}
                {attribute.value}
              </span>
            ))}
      </span>{' '}
      {min !== null && (
        <span class="variant-price">
          {priceFormat(currency)(min)}
          {shippingRemark(minShippingKnown)}
        </span>
      )}{' '}
      {availability === 'out_of_stock' && <span class="badge bad">{AVAILABILITY[availability].words}</span>}
    </>
  );
}
