/** What waits for one reader that takes it one by one: an asynchronous iterator that others put things into. */

export interface Inbox<Item> extends AsyncIterableIterator<Item> {
  /** @returns false when it holds as much as it may: the item has not been put into it. */
  put(item: Item): boolean;
  /** Gives what waits no more, and ends; with an error, where there is one. */
  end(error?: Error): void;
}

/**
 * Opens an inbox. A generator would do, but for its end: asked to return while its reader waits, it waits as well.
 *
 * @param most how many items may wait.
 * @param onClosed called once, when it has ended or its reader has gone.
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
  const takeFault = () => {
    const error = fault;
    fault = undefined;
    return error;
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
      const error = takeFault();
      if (error) return Promise.reject(error);
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
