/** Opens a GraphQL subscription as a stream of events, and reads it event by event. */

/** A message: an event with its data, a comment that keeps the connection open, or the end of the stream. */
export interface Message {
  // biome-ignore lint/suspicious/noExplicitAny: tests read data of any shape, and fail if it is not as expected.
  data?: any;
  event: string;
  /** Absent if the server sends none. */
  id?: string;
}

export interface EventStream {
  response: Response;
  /** The next event, skipping comments; `end` if the server has ended the stream. */
  next(): Promise<Message>;
  /** The next event or comment. */
  nextOfAll(): Promise<Message>;
  /** Disconnects. */
  leave(): void;
}

/** Opens a subscription at a gateway's address, and returns once it has started. */
export async function openEvents(
  address: string,
  { query, variables, headers = {} }: { query: string; variables?: object; headers?: Record<string, string> },
): Promise<EventStream> {
  const leaving = new AbortController();
  const response = await fetch(`${address}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...headers },
    body: JSON.stringify({ query, variables }),
    signal: leaving.signal,
  });
  const messages = readMessages(response);
  const nextOfAll = async () => (await messages.next()).value ?? { event: 'end' };
  return {
    response,
    nextOfAll,
    async next() {
      for (;;) {
        const message = await nextOfAll();
        if (message.event !== 'comment') return message;
      }
    },
    leave: () => leaving.abort(),
  };
}

async function* readMessages(response: Response): AsyncGenerator<Message, undefined> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of (response.body ?? []) as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) yield readBlock(block);
  }
  return undefined;
}

function readBlock(block: string): Message {
  if (block.startsWith(':')) return { event: 'comment' };
  const field = (name: string) => new RegExp(`^${name}: ?(.*)$`, 'm').exec(block)?.[1] ?? '';
  const data = field('data');
  const id = field('id');
  return { event: field('event'), ...(id !== '' && { id }), ...(data !== '' && { data: JSON.parse(data) }) };
}
