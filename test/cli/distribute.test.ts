/** What `pda distribute` says where nothing can be distributed. test/distributed runs it on a cluster. */
import { expect, test } from 'vitest';
import { makeEmptyDatabase } from '../harness/database.ts';
import { makeHome } from '../harness/home.ts';
import { run } from '../harness/process.ts';

test('a database without Citus is refused', async () => {
  const home = await makeHome();
  try {
    for (const words of [[], ['--dry-run']]) {
      const { status, stdout, stderr } = await run('pda', ['distribute', ...words], home.environment);
      expect([status, stdout]).toEqual([2, '']);
      expect(stderr).toContain('Set DATABASE_URL to the coordinator of a Citus cluster');
    }
  } finally {
    await home.remove();
  }
});

test('an empty database without Citus stays empty', async () => {
  const { url, drop } = await makeEmptyDatabase('single');
  try {
    const { status, stdout, stderr } = await run('pda', ['distribute'], { DATABASE_URL: url });
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toContain('The database has no Citus. Set DATABASE_URL to the coordinator of a Citus cluster');
    expect((await run('pda', ['doctor', '--json'], { DATABASE_URL: url })).stdout).toContain('pda migrate');
  } finally {
    await drop();
  }
});

test.each(['0', '1025', 'many'])('--shards %s is refused', async (shards) => {
  const { status, stderr } = await run('pda', ['distribute', '--shards', shards], {});
  expect([status, stderr]).toEqual([2, expect.stringContaining('Use a whole number from 1 to 1024.')]);
});
