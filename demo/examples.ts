/** The example request of each route, and one for each kind of problem, asked of a gateway that serves the demo catalogue. */
import { createKey } from '../src/access/key-admin.ts';
import type { Database } from '../src/database/database.ts';
import { digestAll } from '../src/ledger/digest/digest-step.ts';
import { exampleUrl } from '../src/rest/llms.ts';
import { ROUTES } from '../src/rest/routes.ts';
import { WEBHOOK_ROUTES } from '../src/rest/webhook-routes.ts';
import { DAY_MS, dayOf, startOfDay } from '../src/values/day.ts';

/** What was answered: routes by name, problems by code. */
export interface Examples {
  answers: Record<string, unknown>;
  problems: Record<string, unknown>;
}

/**
 * The moment that the demo's newest feeds speak of when examples are recorded or replayed: noon of yesterday, so that the
 * prices of each whole day are the same whenever that is done.
 */
export function momentOfExamples(): Date {
  return new Date(startOfDay(dayOf(Date.now())) - DAY_MS / 2);
}

/** The routes without an example: one holds all examples, and the others change what belongs to a key. */
export const WITHOUT_EXAMPLE = ['getOpenApi', 'rotateKey', ...WEBHOOK_ROUTES.map(({ name }) => name)];

/** Asks for all examples. @param database the gateway's, to make keys in. */
export async function askForExamples(address: string, database: Database): Promise<Examples> {
  await digestAll(database);
  const { key } = await createKey(database, { name: 'examples', plan: 'pro' });
  const answers: Record<string, unknown> = {};
  for (const route of ROUTES.filter(({ name }) => !WITHOUT_EXAMPLE.includes(name))) {
    const { method = 'GET', exampleBody } = route;
    const response = await fetch(address + exampleUrl(route), {
      method,
      headers: { 'x-api-key': key, ...(exampleBody && { 'content-type': 'application/json' }) },
      ...(exampleBody && { body: JSON.stringify(exampleBody) }),
    });
    const text = await response.text();
    if (response.status !== 200)
      throw new Error(`The example of ${route.path} is answered ${response.status}: ${text}`);
    answers[route.name] = response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text;
  }
  return { answers, problems: await askForProblems(address, database, key) };
}

async function askForProblems(address: string, database: Database, key: string): Promise<Record<string, unknown>> {
  const hurried = await createKey(database, { name: 'hurried', plan: 'free', rateLimit: 1 });
  const usedUp = await createKey(database, { name: 'used up', plan: 'free', rateLimit: 1_000 });
  const ask = async (path: string, init: RequestInit) => (await fetch(address + path, init)).json();
  const withKey = (secret: string, method = 'GET') => ({ method, headers: { 'x-api-key': secret } });
  const lookup = '/api/v1/lookup?ean=4006381333931';
  await ask(lookup, withKey(hurried.key));
  for (let asked = 0; asked < 100; asked += 1) await ask(lookup, withKey(usedUp.key));
  return {
    missing_api_key: await ask(lookup, {}),
    invalid_api_key: await ask(lookup, withKey('pda_mistyped')),
    invalid_parameter: await ask('/api/v1/products?sort=cheapest', withKey(key)),
    exactly_one_identifier: await ask('/api/v1/lookup', withKey(key)),
    not_found: await ask('/api/v1/lookup?ean=4006381333932', withKey(key)),
    method_not_allowed: await ask('/api/v1/plans', withKey(key, 'POST')),
    uri_too_long: await ask(`/api/v1/search?q=${'a'.repeat(9_000)}`, withKey(key)),
    quota_exhausted: await ask(lookup, withKey(usedUp.key)),
    rate_limited: await ask(lookup, withKey(hurried.key)),
  };
}
