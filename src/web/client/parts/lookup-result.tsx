/** Shows the result of a lookup on the front page: the product, its prices and shops, or the problem. */

/** The parts of the response of `/api/v1/lookup` that are shown. */
export interface Answer {
  data: {
    product: { name: string; brand?: string; url: string };
    priceStats: { currency: string; lowestEver?: number; offerCount: number };
    offers: { merchant: string; totalPrice: number; availability: string; url: string }[];
  };
}

/** The parts of a problem document (RFC 9457) that are shown. */
export interface ProblemDocument {
  title: string;
  detail: string;
  type?: string;
}

const AVAILABILITIES: Readonly<Record<string, [label: string, kind: string]>> = {
  in_stock: ['In stock', 'good'],
  preorder: ['Preorder', 'warn'],
  backorder: ['Backorder', 'warn'],
  out_of_stock: ['Out of stock', 'bad'],
};

// Larger numbers mean an unlimited plan.
const MOST_COUNTED = 1_000_000_000;

/** A found product. @param left requests left this month; `NaN` if unknown. */
export function Found({ answer, left }: { answer: Answer; left: number }) {
  const { product, priceStats, offers } = answer.data;
  const { format } = new Intl.NumberFormat(undefined, { style: 'currency', currency: priceStats.currency });
  const amount = (of: number | undefined) => of !== undefined && format(of);
  const inStock = offers.filter(({ availability }) => availability === 'in_stock');
  // Cheapest first, as are all offers.
  const lowest = inStock.length > 0 ? amount(inStock[0]?.totalPrice) : offers.length > 0 && 'Not in stock';
  const figures: [string, string | number | false][] = [
    ['Lowest in stock', lowest],
    ['Lowest ever', amount(priceStats.lowestEver)],
    ['Offers', priceStats.offerCount],
  ];
  const isSoldOut = ({ availability }: { availability: string }) => availability === 'out_of_stock';
  const soldOutLast = [...offers.filter((offer) => !isSoldOut(offer)), ...offers.filter(isSoldOut)];
  return (
    <>
      <h3>
        <a href={product.url}>{product.name}</a>
      </h3>
      {product.brand !== undefined && <p class="muted">{product.brand}</p>}
      <dl class="figures">
        {figures.map(
          ([label, figure]) =>
            figure !== false && (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{figure}</dd>
              </div>
            ),
        )}
      </dl>
      {offers.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what can be scrolled must be reachable with the keyboard (WCAG 2.1.1).
        <section class="table-scroll" aria-label="Offers" tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">Shop</th>
                <th scope="col" class="number">
                  Price with shipping, if stated
                </th>
                <th scope="col">Availability</th>
              </tr>
            </thead>
            <tbody>
              {soldOutLast.map(({ merchant, totalPrice, availability, url }) => {
                const [label, kind] = AVAILABILITIES[availability] ?? [availability, ''];
                return (
                  <tr key={url} class={isSoldOut({ availability }) ? 'sold-out' : undefined}>
                    <th scope="row">
                      <a href={url} rel="nofollow sponsored">
                        {merchant}
                      </a>
                    </th>
                    <td class="number">{format(totalPrice)}</td>
                    <td>
                      <span class={`badge ${kind}`}>{label}</span>
                    </td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        </section>
      )}
      <details>
        <summary>Response as JSON</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: as above. */}
        <pre tabIndex={0}>{JSON.stringify(answer, null, 2)}</pre>
      </details>
      {left < MOST_COUNTED && <p class="muted small">{left.toLocaleString()} requests left this month.</p>}
    </>
  );
}

/** A refused request, and what to do. */
export function Refused({ problem: { title, detail, type } }: { problem: ProblemDocument }) {
  return (
    <div class="notice bad" role="alert">
      <p>
        <strong>{title}.</strong> {detail}
      </p>
      {type?.includes('#') && (
        <p class="small">
          {/* A path on this server, whatever the public URL. */}
          <a href={`/docs/errors${type.slice(type.indexOf('#'))}`}>More about this error</a>
        </p>
      )}
    </div>
  );
}
