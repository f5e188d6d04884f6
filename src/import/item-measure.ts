/** The amount of the goods of an offer: as its row states it, otherwise as its name tells it. */
import { encodeMeasure } from '../values/unit-price.ts';
import type { FeedItem } from './item.ts';
import { measureInName } from './measure/name-measure.ts';
import type { CategoryWords, KnownCategories } from './product-category.ts';

/** The number of the amount; `undefined` if the row does not tell it. @param categories absent if no row has named a category yet. */
export function measureOfItem(
  { measure, title, product }: Pick<FeedItem, 'measure' | 'title' | 'product'>,
  categories: KnownCategories | undefined,
): bigint | undefined {
  const words = product.category as CategoryWords | undefined;
  const category = words && categories?.find(words);
  const told =
    measure ?? measureInName(title, category === undefined ? undefined : categories?.isSoldByMeasure(category));
  return told && encodeMeasure(told);
}
