/** The databases that a test file no longer needs. To drop one from a cluster may take longer than a gateway has to stop. */
const drops: Promise<void>[] = [];

/** Lets the file go on meanwhile. Its end waits for the drop and reports a failure. */
export function dropMeanwhile(dropped: Promise<void>): void {
  dropped.catch(() => {});
  drops.push(dropped);
}

/** Waits until all databases of the file are dropped. @throws when one could not be dropped. */
export async function awaitDrops(): Promise<void> {
  const ended = await Promise.allSettled(drops.splice(0));
  const failed = ended.find((drop) => drop.status === 'rejected');
  if (failed) throw failed.reason;
}
