/** The distinguishing properties of a product, such as colour and size. */

/** The properties that feeds may state, by Google's names. */
export const ATTRIBUTE_NAMES = ['color', 'size', 'material', 'pattern'] as const;

/** The longest value that is stored, in characters. */
export const LONGEST_ATTRIBUTE_VALUE = 200;

/** A property: the name as in feeds, and the value as the shop states it. */
export interface ProductAttribute {
  name: string;
  value: string;
}

/** The attributes of the stored object, ordered by name; null if there are none. */
export function attributesOf(stored: unknown): ProductAttribute[] | null {
  const all = Object.entries(stored ?? {}).map(([name, value]) => ({ name, value: String(value) }));
  return all.length > 0 ? all.sort((one, other) => (one.name < other.name ? -1 : 1)) : null;
}
