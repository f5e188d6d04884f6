/** Counts the values of JSON that a client sends, before anything else looks at them. */

/**
 * Whether JSON has more than `most` values: items of lists and members of objects, at all levels. It looks at no more than `most` items.
 * @example hasMoreValues({ ids: [1, 2] }, 2) // true: `ids`, 1 and 2
 */
export function hasMoreValues(json: unknown, most: number): boolean {
  const found = [json];
  // The list grows while it is read, so that deep nesting needs no stack.
  for (const value of found) {
    if (typeof value !== 'object' || value === null) continue;
    const parts = Array.isArray(value) ? value : Object.values(value);
    if (found.length + parts.length > most + 1) return true;
    for (const part of parts) found.push(part);
  }
  return false;
}
