/** Errors of the administration of feeds, which tell the operator what is allowed. */

/** The settings of a feed that can be wrong, by the names of the fields of their form. */
export type FeedField = 'url' | 'merchant' | 'every' | 'headers' | 'encoding';

/** What an operator asked for is not possible; the message says what is. */
export class FeedInvalid extends Error {
  override name = 'FeedInvalid';

  /** The setting that is wrong, if it is one. */
  readonly field: FeedField | undefined;

  constructor(message: string, field?: FeedField) {
    super(message);
    this.field = field;
  }
}

/** No feed has this id. */
export class FeedNotFound extends Error {
  override name = 'FeedNotFound';

  constructor(id: string) {
    super(`No feed has the id ${id}: \`pda feeds list\` shows all feeds.`);
  }
}
