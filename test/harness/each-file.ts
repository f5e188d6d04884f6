/**
 * Runs in each test file. The files of a worker share its process and its modules, so a file fails if it leaves a fake clock or changed
 * environment variables.
 */
import { afterAll, expect, vi } from 'vitest';
import { awaitDrops } from './drops.ts';

// A file whose own hooks failed has left them unchecked.
vi.useRealTimers();
const environment = { ...process.env };

// Hooks run in reverse order, so this one is the last of a file.
afterAll(async () => {
  const isFake = vi.isFakeTimers();
  vi.useRealTimers();
  await awaitDrops();
  const names = new Set([...Object.keys(environment), ...Object.keys(process.env)]);
  // Only their names: the values may be secret.
  const changed = [...names].filter((name) => process.env[name] !== environment[name]);
  expect({ clock: isFake ? 'fake' : 'real', changed }).toEqual({ clock: 'real', changed: [] });
});
