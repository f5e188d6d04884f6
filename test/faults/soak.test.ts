/** Mixed load during imports for some seconds; `npm run soak` does the same for half an hour. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Home, makeHome } from '../harness/home.ts';
import { SOAK_FREE_QUOTA, soak } from '../harness/soak.ts';

let home: Home;
beforeAll(async () => {
  home = await makeHome();
});
afterAll(() => home.remove());

test('mixed load during imports is answered without errors, and all counts are right', async () => {
  const redis = process.env.TEST_REDIS_URL ? { REDIS_URL: process.env.TEST_REDIS_URL } : {};
  const report = await soak({ seconds: 6, environment: { ...home.environment, ...redis }, gateways: 2 });
  expect(report.faults).toEqual([]);
  expect(report.imports).toBeGreaterThan(0);
  for (const { answered, counted } of report.books) expect(counted).toBe(answered);
  // The key with the plan free has used up exactly its monthly quota.
  expect(report.books[2]?.counted).toBe(SOAK_FREE_QUOTA);
  expect(report.statuses[402]).toBeGreaterThan(0);
});
