/** PostgreSQL is killed under load and restarted. The gateways are never restarted. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventually } from '../harness/eventually.ts';
import { run } from '../harness/process.ts';
import { expectBalance, expectCalm, LOOKUP, type Service, startService } from '../harness/service.ts';

let service: Service;
beforeEach(async () => {
  service = await startService();
});
afterEach(() => service.end());

test('while PostgreSQL is down responses are 503 at once, then 200 without a restart, and every count is right', async () => {
  await Promise.all([service.start(), service.start()]);
  const load = service.load();
  for (let time = 0; time < 2; time += 1) {
    await load.answers(200, 100);
    await service.postgres.kill();
    await load.answers(503, 100);
    expect((await service.ask('/healthz')).status).toBe(200);
    const ready = await service.ask('/readyz');
    expect([ready.status, ready.headers.get('retry-after')]).toEqual([503, expect.stringMatching(/^\d+$/)]);
    await service.postgres.start();
  }
  await load.answers(200, 100);
  const books = await load.stop();
  expectCalm(books);
  await expectBalance(service.database, books);
  // Its result is shared for a second, which the whole recovery may take less than.
  await eventually(
    () => service.ask('/readyz'),
    ({ status }) => status === 200,
  );
});

test('503 responses have the plan and the remaining quota as last known', async () => {
  await service.start();
  const { headers } = await service.ask(LOOKUP);
  await service.postgres.kill();
  const refused = await eventually(
    () => service.ask(LOOKUP),
    ({ status }) => status === 503,
  );
  for (const name of ['x-plan', 'x-quota-limit', 'x-quota-remaining']) {
    expect([name, refused.headers.get(name)]).toEqual([name, headers.get(name)]);
  }
});

test('a gateway that is started meanwhile exits with a message and status 5', async () => {
  await service.postgres.kill();
  const { status, stderr } = await run('main', [], { DATABASE_URL: service.postgres.url, PORT: '0' });
  expect(status).toBe(5);
  expect(stderr.trim().split('\n').at(-1)).toMatch(/^The database cannot be used: .*DATABASE_URL/);
});
