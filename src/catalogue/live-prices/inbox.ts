/** A bounded queue for one reader: an asynchronous iterator that others put items into. */

export interface Inbox<Item> extends AsyncIterableIterator<Item> {
  /** @returns false if the inbox is full and the item was not added. */
  put(item: Item): boolean;
  /** Discards all waiting items and ends the iteration, with the error if one is given. */
  end(error?: Error): void;
}

/**
 * Opens an inbox for at most `most` waiting items. A generator would not do: its `return()` waits as long as its reader does.
 * @param onClosed called once, when the inbox has ended or its reader has stopped.
 */
export function openInbox<Item>(most: number, onClosed: () => void): Inbox<Item> {
  const items: Item[] = [];
  const readers: { resolve(result: IteratorResult<Item>): void; reject(error: Error): void }[] = [];
  const done = { value: undefined, done: true } as const;
  let isClosed = false;
  let fault: Error | undefined;

  const close = () => {
    if (isClosed) return;
    isClosed = true;
    items.length = 0;
    onClosed();
  };

  return {
    put(item) {
      if (isClosed) return true;
      const reader = readers.shift();
      if (reader) reader.resolve({ value: item, done: false });
      else if (items.length >= most) return false;
      else items.push(item);
      return true;
    },
    end(error) {
      if (isClosed) return;
      close();
      const first = readers.shift();
      if (first && error) first.reject(error);
      else {
        fault = error;
        first?.resolve(done);
      }
      for (const reader of readers.splice(0)) reader.resolve(done);
    },
    next() {
      const item = items.shift();
      if (item !== undefined) return Promise.resolve({ value: item, done: false });
      if (fault) {
        const error = fault;
        fault = undefined;
        return Promise.reject(error);
      }
      if (isClosed) return Promise.resolve(done);
      return new Promise((resolve, reject) => readers.push({ resolve, reject }));
    },
    return() {
      close();
      for (const reader of readers.splice(0)) reader.resolve(done);
      return Promise.resolve(done);
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
