/** Mixed load during imports for some seconds; `npm run soak` does the same for half an hour. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isOnPostgres, makePostgresDatabase } from '../harness/database.ts';
import { SOAK_FREE_QUOTA, soak } from '../harness/soak.ts';

let environment: Record<string, string>;
let clean: () => Promise<void>;
beforeAll(async () => {
  if (isOnPostgres()) {
    const { url, drop } = await makePostgresDatabase();
    const redis: Record<string, string> = process.env.TEST_REDIS_URL ? { REDIS_URL: process.env.TEST_REDIS_URL } : {};
    environment = { DATABASE_URL: url, ...redis };
    clean = drop;
  } else {
    const folder = mkdtempSync(join(tmpdir(), 'pda-soak-'));
    environment = { DATA_DIR: folder };
    clean = async () => rmSync(folder, { recursive: true, force: true });
  }
});
afterAll(() => clean());

test('mixed load during imports is answered without errors, and all counts are right', async () => {
  const report = await soak({ seconds: 6, environment, gateways: isOnPostgres() ? 2 : 1 });
  expect(report.faults).toEqual([]);
  expect(report.imports).toBeGreaterThan(0);
  for (const { answered, counted } of report.books) expect(counted).toBe(answered);
  // The key with the plan free has used up exactly its monthly quota.
  expect(report.books[2]?.counted).toBe(SOAK_FREE_QUOTA);
  expect(report.statuses[402]).toBeGreaterThan(0);
});
