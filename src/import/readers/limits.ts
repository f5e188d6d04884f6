// How much of a feed may be in memory at once; anything larger is not product data.

/** The longest value of one field, in characters: 1 MiB. */
export const LONGEST_FIELD = 1024 * 1024;

/** The longest row, in characters: 4 MiB. */
export const LONGEST_ROW = 4 * LONGEST_FIELD;

/** Text is handed to the readers in pieces of at most this many characters or bytes. */
export const PIECE_LENGTH = 64 * 1024;
