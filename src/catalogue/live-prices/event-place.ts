/** The place of one request in the stream of events, for reconnecting clients. Resolvers and the writer of the stream share it. */
export interface EventPlace {
  /** The header `Last-Event-ID`: the cursor of the last event that the client has received. */
  readonly lastEventId?: string | undefined;
  /** The cursor of the event that was resolved last. */
  cursor?: string | undefined;
}
