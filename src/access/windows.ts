/** Fixed windows of a minute, counted in this process, with bounded memory. */
import { LRUCache } from 'lru-cache';

/** How long a window lasts, in seconds. */
export const WINDOW_SECONDS = 60;

/** The current minute of one key or one address. */
export interface Window {
  count: number;
  /** When the next window starts, in milliseconds since 1970. */
  resetAt: number;
}

/** Opens windows by name; each starts when it is first used. Beyond `most`, the least recently used one is discarded. */
export function openWindows<State extends Window = Window>(most: number): (name: string) => State {
  const windows = new LRUCache<string, State>({ max: most });
  return (name) => {
    const now = Date.now();
    let window = windows.get(name);
    if (!window || window.resetAt <= now) {
      window = { count: 0, resetAt: now + WINDOW_SECONDS * 1000 } as State;
      windows.set(name, window);
    }
    return window;
  };
}

/** Whole seconds until a moment, at least 1. */
export function secondsUntil(moment: number): number {
  return Math.max(1, Math.ceil((moment - Date.now()) / 1000));
}
