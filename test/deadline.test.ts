/** Requests that take too long are found in the order of their start. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openDeadline } from '../src/http/deadline.ts';

const AFTER_MS = 1_000;
const LOOK_MS = 500;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function open() {
  const late: string[] = [];
  const deadline = openDeadline<string>(AFTER_MS, (name) => late.push(name));
  return { late, deadline };
}

test('a request that ends in time is not late, wherever it is among the others', () => {
  const { late, deadline } = open();
  const begin = (name: string) => deadline.begin(name, performance.now());
  const [first, , third, , fifth] = ['first', 'second', 'third', 'fourth', 'fifth'].map(begin);
  for (const watch of [third, first, fifth]) if (watch) deadline.end(watch);
  vi.advanceTimersByTime(2 * AFTER_MS);
  expect(late).toEqual(['second', 'fourth']);
});

test('a request is late once, and may end after that', () => {
  const { late, deadline } = open();
  const watch = deadline.begin('slow', performance.now());
  vi.advanceTimersByTime(2 * AFTER_MS);
  deadline.end(watch);
  deadline.end(watch);
  vi.advanceTimersByTime(2 * AFTER_MS);
  expect(late).toEqual(['slow']);
});

test('requests are still watched after a time without any', () => {
  const { late, deadline } = open();
  deadline.end(deadline.begin('quick', performance.now()));
  vi.advanceTimersByTime(5 * AFTER_MS);
  deadline.begin('slow', performance.now());
  vi.advanceTimersByTime(AFTER_MS / 2);
  expect(late).toEqual([]);
  vi.advanceTimersByTime(AFTER_MS);
  expect(late).toEqual(['slow']);
});

describe('after a pause of the whole process', () => {
  /** Lets time pass without timers, then lets those that are due run. */
  const pause = (ms: number) => {
    const end = performance.now() + ms;
    vi.spyOn(performance, 'now').mockImplementation(() => end);
    vi.advanceTimersToNextTimer();
    vi.mocked(performance.now).mockImplementation(() => end + LOOK_MS);
  };
  afterEach(() => {
    vi.restoreAllMocks();
  });

  test('a request whose answer has arrived meanwhile is not late', () => {
    const { late, deadline } = open();
    const watch = deadline.begin('answered', performance.now());
    pause(20 * AFTER_MS);
    expect(late).toEqual([]);
    deadline.end(watch);
    vi.advanceTimersToNextTimer();
    expect(late).toEqual([]);
  });

  test('a request that still waits for its answer is late at the next look', () => {
    const { late, deadline } = open();
    deadline.begin('waiting', performance.now());
    pause(20 * AFTER_MS);
    vi.advanceTimersToNextTimer();
    expect(late).toEqual(['waiting']);
  });

  test('requests are late too if every look of a busy process is', () => {
    const { late, deadline } = open();
    deadline.begin('waiting', performance.now());
    pause(2 * AFTER_MS);
    pause(2 * AFTER_MS);
    expect(late).toEqual(['waiting']);
  });

  test('without requests and another pause, a request whose answer has arrived meanwhile is not late', () => {
    const { late, deadline } = open();
    deadline.end(deadline.begin('before', performance.now()));
    pause(20 * AFTER_MS);
    const watch = deadline.begin('answered', performance.now());
    pause(20 * AFTER_MS);
    expect(late).toEqual([]);
    deadline.end(watch);
    vi.advanceTimersToNextTimer();
    expect(late).toEqual([]);
  });
});
