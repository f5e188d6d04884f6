/** The state of a delivery. */
import type { WebhookDelivery } from '../generated/prisma/client.ts';

/** The states, with their descriptions. */
export const DELIVERY_STATES = {
  waiting: { value: 'waiting', description: 'An attempt is under way or will follow.' },
  delivered: { value: 'delivered', description: 'The receiver accepted the message.' },
  given_up: { value: 'given_up', description: 'All attempts failed; a replay sends it again.' },
} as const;

export type DeliveryState = keyof typeof DELIVERY_STATES;

/** The state of a row. */
export function stateOf({ deliveredAt, givenUpAt }: Pick<WebhookDelivery, 'deliveredAt' | 'givenUpAt'>): DeliveryState {
  return deliveredAt ? 'delivered' : givenUpAt ? 'given_up' : 'waiting';
}
