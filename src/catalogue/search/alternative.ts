/** A way to read some words of a query. */
export interface Alternative {
  /** The places of the words in the query. */
  at: readonly number[];
  /** The words of a name that stand for them, all of them. */
  words: readonly string[];
  /** Whether the last word may go on in the name. */
  isPrefix: boolean;
}
