/** The fields of a product that exports list and the stream of changes records. Prices are not part of them: they belong to offers. */

/** A product's fields. Absent where no shop states them. */
export interface ProductState {
  slug: string;
  name: string;
  brand?: string;
  category?: { id: number; slug: string; name: string };
  mpn?: string;
  description?: string;
  image?: string;
  attributes?: Readonly<Record<string, string>>;
  /** Such as `gtin 04006381333931,asin B0DEMO0001`; the first of each kind is the primary one. */
  identifiers?: string;
  /** The time of first observation, in milliseconds of the epoch. */
  createdAt: number;
}

/** SQL for the {@link ProductState} of the row `product`, as JSONB. */
export const PRODUCT_STATE = `
  jsonb_strip_nulls(jsonb_build_object(
    'slug', product.slug,
    'name', product.name,
    'brand', (SELECT brand.name FROM brand WHERE brand.id = product.brand_id),
    'category', (
      SELECT jsonb_build_object('id', category.id, 'slug', category.slug, 'name', category.name)
      FROM category
      WHERE category.id = product.category_id
    ),
    'mpn', product.mpn,
    'description', product.description,
    'image', product.image_url,
    'attributes', product.attributes,
    'identifiers', (
      SELECT string_agg(identifier.kind || ' ' || identifier.value, ',' ORDER BY identifier.id)
      FROM product_identifier AS identifier
      WHERE identifier.product_id = product.id
    ),
    'createdAt', (date_part('epoch', product.created_at) * 1000)::bigint
  ))`;
