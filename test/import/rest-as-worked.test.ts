import { expect, it } from 'vitest';
import { restAsWorked } from '../../src/import/rest-as-worked.ts';

/** Uses the processor for some milliseconds of its time. */
function work(milliseconds: number): void {
  const before = process.cpuUsage();
  const used = () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  };
  while (used() < milliseconds);
}

it('lets all readers of feeds in a process rest together once it has worked', async () => {
  work(5);
  const rest = restAsWorked();
  expect(restAsWorked()).toBe(rest);

  let isOver = false;
  const waiting = rest.then(() => {
    isOver = true;
  });
  await Promise.resolve();
  expect(isOver).toBe(false);
  await waiting;
});

it('rests again after more work', async () => {
  work(5);
  const first = restAsWorked();
  await first;
  work(5);
  const second = restAsWorked();
  expect(second).not.toBe(first);
  await second;
});
