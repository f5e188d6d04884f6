/** Values of an enumeration as small numbers, which are cheaper to send and to parse than words. */

/**
 * SQL for the position of a column's value in the list; NULL for NULL.
 *
 * @param values the client's own words, so they need no escaping.
 */
export const positionIn = (values: readonly string[], column: string): string =>
  `CASE ${column} ${values.map((value, position) => `WHEN '${value}' THEN ${position}`).join(' ')} END`;
