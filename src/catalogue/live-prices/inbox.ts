/** A bounded queue for one reader: an asynchronous iterator that others put items into, or that fetches items when it is empty. */

export interface Inbox<Item> extends AsyncIterableIterator<Item> {
  /** @returns false if the inbox is full and the item was not added. */
  put(item: Item): boolean;
  /** Discards all waiting items and ends the iteration, with the error if one is given. */
  end(error?: Error): void;
  /** The milliseconds for which items have waited without the reader taking one; 0 if none waits. */
  waitedMs(): number;
}

export interface InboxOptions {
  /** The most waiting items. */
  most: number;
  onClosed(): void;
  /**
   * Called when the reader wants an item and none waits. The promise resolves after items were put, or when it should be called again;
   * `undefined` if others put items. A rejection ends the iteration.
   */
  refill(): Promise<void> | undefined;
}

/** Opens an inbox. A generator would not do: its `return()` waits as long as its reader does. */
export function openInbox<Item>({ most, onClosed, refill }: InboxOptions): Inbox<Item> {
  const items: Item[] = [];
  let readers: (() => void)[] = [];
  let filling: Promise<void> | undefined;
  let takenAt = 0;
  let isClosed = false;
  let fault: Error | undefined;

  const wake = () => {
    const woken = readers;
    readers = [];
    for (const resume of woken) resume();
  };
  const last = (): IteratorResult<Item> => {
    const error = fault;
    fault = undefined;
    if (error) throw error;
    return { value: undefined, done: true };
  };
  const end = (error?: Error) => {
    if (isClosed) return;
    isClosed = true;
    fault = error;
    items.length = 0;
    onClosed();
    wake();
  };
  const fill = (): Promise<void> | undefined => {
    filling ??= refill()
      ?.catch(end)
      .finally(() => {
        filling = undefined;
      });
    return filling;
  };

  return {
    put(item) {
      if (isClosed) return true;
      if (items.length >= most) return false;
      if (items.length === 0) takenAt = Date.now();
      items.push(item);
      wake();
      return true;
    },
    end,
    waitedMs: () => (items.length === 0 ? 0 : Date.now() - takenAt),
    async next() {
      for (;;) {
        const item = items.shift();
        if (item !== undefined) {
          takenAt = Date.now();
          return { value: item, done: false };
        }
        if (isClosed) return last();
        await (fill() ?? new Promise<void>((resolve) => readers.push(resolve)));
      }
    },
    return() {
      end();
      return Promise.resolve({ value: undefined, done: true });
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
