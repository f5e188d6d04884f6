/** Waits for what the contract promises within a time: asks again and again until it is so, or the time is over. */
export async function eventually<Value>(
  ask: () => Promise<Value>,
  isSo: (value: Value) => boolean,
  withinMs = 5_000,
): Promise<Value> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const value = await ask();
    if (isSo(value) || Date.now() > deadline) return value;
    await new Promise(setImmediate); // The embedded database answers without letting timers run: here they may.
  }
}
