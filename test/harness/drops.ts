/** The databases that a test file no longer needs. To drop one from a cluster may take longer than a gateway has to stop. */
const drops: Promise<void>[] = [];

/** Has the file wait for it at its end, which also reports its failure. */
export function dropMeanwhile(dropped: Promise<void>): void {
  dropped.catch(() => {});
  drops.push(dropped);
}

/** Waits until all databases of the file are dropped. @throws when one could not be dropped. */
export async function awaitDrops(): Promise<void> {
  await Promise.all(drops.splice(0));
}
