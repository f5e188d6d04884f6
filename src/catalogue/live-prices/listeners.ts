/** The subscriptions of a process that follow the stream, by what they ask for. */
import type { PriceEvent } from './event-record.ts';
import type { PriceFilter } from './price-filter.ts';
import { type PriceSelection, selectFor } from './read-price-events.ts';

interface Listener {
  filter: PriceFilter;
  /** Whether the filter accepts an event. */
  accepts(event: PriceEvent): boolean;
}

/** Opens an empty set of listeners. */
export function openListeners<Each extends Listener>() {
  const all = new Set<Each>();
  const ofProduct = new Map<bigint, Set<Each>>();
  const ofAnyProduct = new Set<Each>();
  let selection: PriceSelection | undefined;

  return {
    /** The number of listeners. */
    count: () => all.size,
    add(listener: Each): void {
      selection = undefined;
      all.add(listener);
      if (!listener.filter.productIds) ofAnyProduct.add(listener);
      for (const id of listener.filter.productIds ?? []) {
        const listeners = ofProduct.get(id) ?? new Set();
        ofProduct.set(id, listeners.add(listener));
      }
    },
    remove(listener: Each): void {
      selection = undefined;
      all.delete(listener);
      ofAnyProduct.delete(listener);
      for (const id of listener.filter.productIds ?? []) {
        const listeners = ofProduct.get(id);
        listeners?.delete(listener);
        if (listeners?.size === 0) ofProduct.delete(id);
      }
    },
    /** What has to be read for all of them. */
    selection(): PriceSelection {
      selection ??= selectFor(Array.from(all, ({ filter }) => filter));
      return selection;
    },
    /** The listeners that an event is for. */
    of: (event: PriceEvent): Each[] =>
      [...(ofProduct.get(event.productId) ?? []), ...ofAnyProduct].filter((listener) => listener.accepts(event)),
  };
}
