/** `/console/products`: search products by anything that names them. */
import { Problem } from '../../../problem.ts';
import { priceFormat } from '../../../values/price-format.ts';
import { External } from '../../external-text.tsx';
import { numbers, ScrollTable } from '../../layout.tsx';
import { NextPage } from '../next-page.tsx';
import { SearchForm } from '../search-form.tsx';
import type { ConsoleRoute } from '../visit.ts';
import { findProducts, type ListedProduct, LONGEST_PRODUCT_QUERY } from './find-products.ts';
import { PRODUCTS_PATH, productPath } from './paths.ts';

export const productListRoute: ConsoleRoute = {
  path: PRODUCTS_PATH,
  async show(visit) {
    const text = visit.query.get('query')?.trim() ?? '';
    if ([...text].length > LONGEST_PRODUCT_QUERY)
      throw new Problem('invalid_parameter', `Search for at most ${LONGEST_PRODUCT_QUERY} characters.`);
    const { products, isExact, next } = await findProducts(visit, text, visit.query.get('after') || undefined);
    return {
      title: 'Products',
      section: PRODUCTS_PATH,
      styles: ['console-pages.css'],
      content: (
        <>
          <SearchForm
            path={PRODUCTS_PATH}
            query={text}
            label="GTIN, ASIN, MPN, slug, id, or words"
            maxLength={LONGEST_PRODUCT_QUERY}
          />
          {isExact && <p class="muted">Only this product has this identifier, slug or id.</p>}
          {products.length === 0 ? (
            <p class="notice">No product is found. Search with fewer words, or with another identifier.</p>
          ) : (
            <ScrollTable
              label="Products"
              look="records"
              columns={['Name', 'Id', 'Brand', 'GTIN', 'ASIN', 'MPN', numbers('Offers'), numbers('Lowest')]}
            >
              {products.map((product) => (
                <ProductRow key={product.id} product={product} />
              ))}
            </ScrollTable>
          )}
          <NextPage path={PRODUCTS_PATH} query={{ query: text || undefined }} cursor={next} />
        </>
      ),
    };
  },
};

function ProductRow({ product }: { product: ListedProduct }) {
  const { id, name, brandName, identifiers, priceStats } = product;
  return (
    <tr>
      <th scope="row">
        <a href={productPath(id)}>
          <External>{name}</External>
        </a>
      </th>
      <td data-label="Id">{id}</td>
      <td data-label="Brand">{brandName && <External>{brandName}</External>}</td>
      <td data-label="GTIN">{few(identifiers.ean)}</td>
      <td data-label="ASIN">{few(identifiers.asin)}</td>
      <td data-label="MPN">{identifiers.mpn && <External>{identifiers.mpn}</External>}</td>
      <td data-label="Offers" class="number">
        {priceStats.offerCount}
      </td>
      <td data-label="Lowest" class="number">
        {priceStats.min === null ? '' : priceFormat(priceStats.currency)(priceStats.min)}
      </td>
    </tr>
  );
}

/** A product may have many identifiers; its page shows all. */
const few = (values: readonly string[]): string =>
  values.length > 2 ? `${values[0]} and ${values.length - 1} more` : values.join(' ');
