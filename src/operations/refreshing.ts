/** Refreshes figures that a scrape of the metrics reads from the database. */

const FRESH_MS = 1_000;
// The other metrics must not wait for a database that does not answer, since they show that failure.
const PATIENCE_MS = 1_000;

/**
 * Opens a refresher. All figures of one scrape share one read.
 * @returns `refresh`, which reads at most once a second, waits at most a second and never fails: after a failure, the last figures stay.
 */
export function openRefreshing() {
  let refreshing: Promise<void> | undefined;
  let refreshedAt = Number.NEGATIVE_INFINITY;
  let read: (() => Promise<void>) | undefined;
  return {
    /** Sets what to read. Until then, there is nothing to refresh. */
    readWith(reading: () => Promise<void>): void {
      read = reading;
    },
    refresh(): Promise<void> {
      if (!read || performance.now() - refreshedAt < FRESH_MS) return Promise.resolve();
      refreshing ??= read()
        // The metrics of the database show the failure.
        .catch(() => {})
        .finally(() => {
          refreshing = undefined;
          refreshedAt = performance.now();
        });
      return Promise.race([refreshing, new Promise<void>((resolve) => void setTimeout(resolve, PATIENCE_MS).unref())]);
    },
  };
}
