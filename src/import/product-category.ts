// `google_product_category` as feeds write it: an id of Google's taxonomy, a path, or both.

/** A row's place in Google's taxonomy. */
export interface ProductCategory {
  /** Id in Google's taxonomy. */
  id?: number;
  /** Names from the top, separated by ` > `. */
  path?: string;
}

/**
 * Reads `469`, `Health & Beauty > Personal Care` or `469 > Health & Beauty` (also with ` - ` after the id, as in the taxonomy
 * file). Blanks around the names are normalised.
 */
export function parseProductCategory(text: string): ProductCategory {
  const parts = WITH_ID.exec(text);
  const id = parts?.[1];
  const path = (parts === null ? text : (parts[2] ?? ''))
    .split('>')
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .join(' > ');
  return { ...(id === undefined ? {} : { id: Number(id) }), ...(path === '' ? {} : { path }) };
}

const WITH_ID = /^\s*(\d{1,9})\s*(?:[->]\s*(.*))?$/s;
