/** Instances of a gateway over one database, and subscriptions to them. */
import { onTestFinished } from 'vitest';
import { readConfig } from '../../src/config.ts';
import type { Database } from '../../src/database/database.ts';
import { type Gateway, startGateway } from '../../src/gateway.ts';
import { type EventStream, type Message, openEvents } from '../harness/events.ts';
import { type FeedRowFields, feedRow } from '../harness/gateway.ts';

/** Starts an instance. Stopping it leaves the database open. */
export function startInstance(database: Database): Promise<Gateway> {
  const config = readConfig({ PORT: '0', LOG_LEVEL: 'silent', ANSWER_CACHE_MB: '0', DRAIN_DELAY_SECONDS: '0' });
  return startGateway(config, { ...database, close: async () => {} });
}

/** A row for product `thing-N`. */
export const thing = (number: number, price: string, more: Omit<FeedRowFields, 'id'> = {}): FeedRowFields =>
  feedRow({
    id: String(number),
    title: `Thing ${number}`,
    asin: `B0SUBS${String(number).padStart(4, '0')}`,
    price,
    ...more,
  });

/** Subscribes with arguments in GraphQL's words, such as `productIds: ["thing-1"]`. */
export async function subscribe(
  { address }: { address: string },
  given: string,
  key: string,
  headers: Record<string, string> = {},
): Promise<EventStream> {
  const stream = await openEvents(address, {
    query: `subscription { priceChanged(${given}) { cursor types previousMin min at committedAt product { slug } } }`,
    headers: { 'x-api-key': key, ...headers },
  });
  onTestFinished(() => stream.leave());
  return stream;
}

/** The product and its prices in an event. */
export function inShort(message: Message): string {
  const { data } = message;
  if (!data?.data) throw new Error(`The stream has no event, but ${JSON.stringify(message)}.`);
  const { product, previousMin, min } = data.data.priceChanged;
  return `${product.slug}: ${previousMin ?? '-'} to ${min ?? '-'}`;
}

/** The next events, in short. */
export async function take(stream: EventStream, count: number): Promise<string[]> {
  const all = [];
  for (let taken = 0; taken < count; taken += 1) all.push(inShort(await stream.next()));
  return all;
}

/** The problem with which a stream ends. */
export async function problemOf(stream: EventStream): Promise<{ code: string; status: number; parameter?: string }> {
  const { data } = await stream.next();
  return data.errors[0].extensions;
}
