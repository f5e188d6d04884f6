/** Mixed load during imports for some seconds; `npm run soak` does the same for half an hour. */
import { expect, test } from 'vitest';
import { makeHome } from '../harness/home.ts';
import { forFile } from '../harness/lifetime.ts';
import { SOAK_FREE_QUOTA, soak } from '../harness/soak.ts';

const home = await forFile(makeHome());

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
