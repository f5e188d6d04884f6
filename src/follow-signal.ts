/**
 * Follows a signal that may live as long as the process, such as that of its stop. `AbortSignal.any` would leave an entry on it for each
 * call, for good on Node 20, and a listener that nobody removes does so on every version.
 */

/**
 * Calls `end` with the signal's reason once it is aborted, at once if it is already.
 * @returns a function that lets go of the signal; it must be called when the work that follows it has ended.
 */
export function followSignal(signal: AbortSignal | undefined, end: (reason: unknown) => void): () => void {
  const onAbort = () => end(signal?.reason);
  if (signal?.aborted) onAbort();
  else signal?.addEventListener('abort', onAbort);
  return () => signal?.removeEventListener('abort', onAbort);
}
