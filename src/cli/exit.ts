/** The exit statuses of commands, and the errors that commands themselves refuse work with. */

export const EXIT = { done: 0, fault: 1, usage: 2, feed: 3, notFound: 4, database: 5 } as const;

/** The command line is invalid; the message says what is allowed. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** The row that the command names does not exist; the message says how to list those that do. */
export class NothingFound extends Error {
  override name = 'NothingFound';
}
