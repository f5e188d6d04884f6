/** Repeats a query until its result satisfies a condition, or until the time is over in which the contract promises that. */
export async function eventually<Value>(
  ask: () => Promise<Value>,
  isSo: (value: Value) => boolean,
  withinMs = 5_000,
): Promise<Value> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const value = await ask();
    if (isSo(value) || Date.now() > deadline) return value;
    await new Promise(setImmediate); // The embedded database answers without letting timers run, so they get their turn here.
  }
}
