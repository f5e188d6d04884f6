/** What a shop's feed says of an offer: Google's field names, with the shop's own words and habits. */
import { slugOf } from '../../src/values/slug.ts';
import type { Item } from './formats.ts';
import type { OfferState } from './history.ts';
import type { Product } from './products.ts';
import type { Shop } from './shops.ts';

const STOCK_WORDS = { preorder: 'preorder', backorder: 'backorder' };

/** @param categoryPaths the paths of Google's categories by id */
export function itemOf(
  product: Product,
  shop: Shop,
  { regular, sale, stock }: OfferState,
  categoryPaths: ReadonlyMap<number, string>,
): Item {
  const { number, department } = product;
  const { shipping } = shop;
  const cost = shipping && ((sale ?? regular) >= shipping.freeFrom ? 0 : shipping.cents);
  return {
    id: `${shop.slug.slice(0, 3).toUpperCase()}-${10_000 + number}`,
    title: `${product.title}${shop.titleSuffix(product)}`,
    description: product.description,
    link: `${shop.url}/p/${10_000 + number}`,
    image_link: product.image,
    availability: stock === 'in' ? shop.words.inStock : stock === 'out' ? shop.words.outOfStock : STOCK_WORDS[stock],
    price: shop.price(regular),
    sale_price: sale === undefined ? undefined : shop.price(sale),
    shipping: cost === undefined ? undefined : `DE::Standard:${(cost / 100).toFixed(2)} EUR`,
    condition: conditionOf(product, shop),
    brand: product.brand,
    color: product.colour,
    item_group_id: shop.namesGroups ? slugOf(product.model, 'model') : undefined,
    gtin: isGtinLeftOut(product, shop) ? undefined : product.gtin,
    mpn: product.mpn,
    asin: shop.omits.asin === 'always' && product.gtin !== undefined ? undefined : product.asin,
    // Shops name the category by its number or by its path.
    google_product_category: number % 2 === 0 ? String(department.category) : categoryPaths.get(department.category),
  };
}

function conditionOf({ number }: Product, shop: Shop): string {
  if (!shop.sellsSecondHand || number % 5 > 2) return 'new';
  return number % 5 === 0 ? 'refurbished' : 'used';
}

// Without its GTIN an offer is found by brand and MPN, which a third of the goods do not have.
function isGtinLeftOut({ number, mpn }: Product, shop: Shop): boolean {
  return shop.omits.gtin === 'at times' && mpn !== undefined && number % 4 === 1;
}
