/** Runs in each test file. The files of a worker share its process and the modules of `src`, so each leaves them as it found them. */
import { afterAll, expect, vi } from 'vitest';
import { awaitDrops } from './drops.ts';

const environment = { ...process.env };

// Hooks run in reverse order, so this one is the last of a file.
afterAll(async () => {
  await awaitDrops();
  const left = { clock: vi.isFakeTimers() ? 'fake' : 'real', environment: { ...process.env } };
  vi.useRealTimers();
  expect(left).toEqual({ clock: 'real', environment });
});
