/** Errors of the administration of feeds, which tell the operator what is allowed. */

/** What an operator asked for is not possible; the message says what is. */
export class FeedInvalid extends Error {
  override name = 'FeedInvalid';
}

/** No feed has this id. */
export class FeedNotFound extends Error {
  override name = 'FeedNotFound';

  constructor(id: string) {
    super(`No feed has the id ${id}: \`pda feeds list\` shows all feeds.`);
  }
}
