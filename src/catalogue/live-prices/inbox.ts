/** A bounded queue for one reader: an asynchronous iterator that others put items into. */

export interface Inbox<Item> extends AsyncIterableIterator<Item> {
  /** @returns false if the inbox is full and the item was not added. */
  put(item: Item): boolean;
  /** Discards all waiting items and ends the iteration, with the error if one is given. */
  end(error?: Error): void;
}

/** Opens an inbox for at most `most` waiting items. A generator would not do: its `return()` waits as long as its reader does. */
export function openInbox<Item>(most: number, onClosed: () => void): Inbox<Item> {
  const items: Item[] = [];
  const readers: ((result: Promise<IteratorResult<Item>>) => void)[] = [];
  let isClosed = false;
  let fault: Error | undefined;

  const last = (): Promise<IteratorResult<Item>> => {
    const error = fault;
    fault = undefined;
    return error ? Promise.reject(error) : Promise.resolve({ value: undefined, done: true });
  };
  const close = () => {
    if (isClosed) return;
    isClosed = true;
    items.length = 0;
    onClosed();
    for (const reader of readers.splice(0)) reader(last());
  };

  return {
    put(item) {
      if (isClosed) return true;
      const reader = readers.shift();
      if (reader) reader(Promise.resolve({ value: item, done: false }));
      else if (items.length >= most) return false;
      else items.push(item);
      return true;
    },
    end(error) {
      if (isClosed) return;
      fault = error;
      close();
    },
    next() {
      const item = items.shift();
      if (item !== undefined) return Promise.resolve({ value: item, done: false });
      return isClosed ? last() : new Promise((resolve) => readers.push(resolve));
    },
    return() {
      close();
      return Promise.resolve({ value: undefined, done: true });
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
