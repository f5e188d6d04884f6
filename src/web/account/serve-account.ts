/**
 * `/account`: the pages of key holders. The key is sent once, by POST, and opens a session; all other forms need the token of the
 * session. The pages cost nothing, and count against the limits of the address and of the key's free requests.
 */
import * as z from 'zod';
import { Access, type AccessServices, takeKeyed } from '../../access/access.ts';
import type { FreeRequests } from '../../access/free-requests.ts';
import type { KeySource } from '../../access/key-source.ts';
import { MOST_GRACE_HOURS } from '../../access/key-terms.ts';
import type { AccessKey } from '../../access/keys.ts';
import { digestOf } from '../../access/secret.ts';
import { isToken } from '../../access/token.ts';
import type { Account } from '../../account/account.ts';
import { closeSession, keyOfSession, moveSession, openSession } from '../../account/sessions.ts';
import type { Market } from '../../catalogue/market.ts';
import type { Database } from '../../database/database.ts';
import type { Answer, Exchange, Handler } from '../../http/exchange.ts';
import type { ServerRoute } from '../../http/route-table.ts';
import { endpointOf } from '../../operations/endpoint.ts';
import { asProblem } from '../../operations/faults.ts';
import type { Log } from '../../operations/log.ts';
import { Problem } from '../../problem.ts';
import type { Webhooks } from '../../webhooks/webhooks.ts';
import { openCookie } from '../forms/cookies.ts';
import { queryOf, readFields } from '../forms/fields.ts';
import { formBodyRule, formOf } from '../forms/form-body.ts';
import { formTokenOf, requireOwnForm } from '../forms/same-origin.ts';
import { seeOther } from '../forms/see-other.ts';
import type { Site } from '../layout.tsx';
import { deliveriesPage } from './deliveries.tsx';
import { ACCOUNT_PATH, answerAccount, GRACE_FIELD, ROTATE_PATH, SIGN_OUT_PATH } from './frame.tsx';
import { CHART_DAYS, overviewPage } from './overview.tsx';
import { problemPage } from './problem-page.tsx';
import { rotatedPage } from './rotated.tsx';
import { KEY_FIELD, signInPage } from './sign-in.tsx';

interface AccountServices {
  database: Database;
  access: AccessServices;
  account: Account;
  webhooks: Webhooks;
  market: Market;
  log: Log;
  free: Pick<FreeRequests, 'look'>;
}

/** The form, as the place of the key. */
const FORM: KeySource = {
  secretOf: () => undefined,
  challenge: 'ApiKey',
  ifMissing: 'Type your API key.',
  ifInvalid: 'The API key is unknown, revoked or expired: check it for typos, or ask the operator for a new one.',
};

const Rotation = z.object({ [GRACE_FIELD]: z.coerce.number('must be a number of hours').min(0).max(MOST_GRACE_HOURS) });
const Paging = z.object({ after: z.string().optional() });

/** A request of a key holder who is signed in. */
interface Visit {
  exchange: Exchange;
  owner: AccessKey;
  /** The token of the session, in its cookie. */
  cookie: string;
  values: Readonly<Record<string, string | undefined>>;
}

/** The rows of the route table for the account. */
export function accountRoutes(services: AccountServices, site: Site): ServerRoute[] {
  const { database, access, account, webhooks, market, log, free } = services;
  const cookie = openCookie('pda-account', ACCOUNT_PATH, market.publicUrl);

  const row = (path: string, methods: readonly string[], handle: Handler): ServerRoute => ({
    path,
    methods,
    endpoint: endpointOf('page', path),
    access: 'limited',
    bodyRule: formBodyRule,
    handle: (exchange, values) => orProblem(exchange, () => handle(exchange, values)),
  });

  /** Answers with a page in any case: also for a refusal, whose page shows the reason. */
  const orProblem = async (exchange: Exchange, answer: () => Promise<Answer> | Answer): Promise<Answer> => {
    try {
      return await answer();
    } catch (error) {
      const problem = asProblem(error);
      if (problem.status >= 500) log.error({ requestId: exchange.id, err: problem.cause ?? problem });
      return answerAccount(problemPage(problem), site, undefined, problem.headers);
    }
  };

  /** Serves visitors who are signed in, and shows the form to sign in to others. */
  const signedIn =
    (serve: (visit: Visit) => Promise<Answer>): Handler =>
    async (exchange, values) => {
      const token = cookie.read(exchange);
      const owner = isToken(token)
        ? await free.look(digestOf(token), exchange.addressOf(), () => keyOfSession(database, token))
        : undefined;
      if (owner && isToken(token)) {
        await takeKeyed(owner, access);
        return serve({ exchange, owner, cookie: token, values });
      }
      if (token === undefined)
        return exchange.method === 'POST' ? seeOther(ACCOUNT_PATH) : answerAccount(signInPage(200), site);
      const headers = { 'WWW-Authenticate': FORM.challenge, 'Set-Cookie': cookie.clear() };
      return answerAccount(signInPage(401, 'Your session has ended: sign in again.'), site, undefined, headers);
    };

  const signIn = async (exchange: Exchange): Promise<Answer> => {
    const form = formOf(exchange);
    requireOwnForm(exchange, market.publicUrl, form);
    const secret = form.get(KEY_FIELD)?.trim() ?? '';
    const presented = new Access(secret || null, exchange.addressOf, access, FORM);
    try {
      if (!(await presented.recognise())) await presented.refuse();
      await presented.requireOwnKey();
      await presented.requireCurrentKey();
      const token = await openSession(database, secret, cookie.read(exchange));
      if (token === undefined) return await presented.refuse();
      return seeOther(ACCOUNT_PATH, { 'Set-Cookie': cookie.set(token) });
    } catch (error) {
      if (!(error instanceof Problem) || error.status >= 500) throw error;
      return answerAccount(signInPage(error.status, error.message), site, undefined, error.headers);
    }
  };

  const showOverview = signedIn(async ({ exchange, owner, cookie: session }) => {
    const { after } = readFields(queryOf(exchange), Paging);
    const [usage, { edges, pageInfo }] = await Promise.all([
      account.usageOf(owner, CHART_DAYS),
      webhooks.list(owner, { first: WEBHOOKS_ON_A_PAGE, after }),
    ]);
    const more = pageInfo.hasNextPage && pageInfo.endCursor;
    const page = overviewPage({
      owner,
      usage,
      webhooks: edges.map(({ node }) => node),
      more: more ? `${ACCOUNT_PATH}?${new URLSearchParams({ after: more })}#webhooks` : undefined,
      token: formTokenOf(session),
    });
    return answerAccount(page, site, formTokenOf(session));
  });

  const rotate = signedIn(async ({ exchange, owner, cookie: session }) => {
    const form = formOf(exchange);
    requireOwnForm(exchange, market.publicUrl, form, session);
    const { [GRACE_FIELD]: graceHours } = readFields(form, Rotation);
    const rotated = await account.rotate(owner, graceHours);
    await moveSession(database, session, rotated.key);
    return answerAccount(rotatedPage(rotated, graceHours === 0), site, formTokenOf(session));
  });

  const showDeliveries = signedIn(async ({ exchange, owner, cookie: session, values: { id = '' } }) => {
    const { after } = readFields(queryOf(exchange), Paging);
    const webhook = await webhooks.find(owner, id);
    if (!webhook) throw new Problem('not_found', 'Your key has no such webhook: choose one in your account.');
    const deliveries = await webhooks.deliveries(webhook.id, { first: DELIVERIES_ON_A_PAGE, after });
    return answerAccount(deliveriesPage(webhook, deliveries), site, formTokenOf(session));
  });

  const signOut = signedIn(async ({ exchange, cookie: session }) => {
    requireOwnForm(exchange, market.publicUrl, formOf(exchange), session);
    await closeSession(database, session);
    return seeOther(ACCOUNT_PATH, { 'Set-Cookie': cookie.clear() });
  });

  return [
    row(ACCOUNT_PATH, ['GET', 'HEAD', 'POST'], (exchange, values) =>
      exchange.method === 'POST' ? signIn(exchange) : showOverview(exchange, values),
    ),
    row(ROTATE_PATH, ['POST'], rotate),
    row(SIGN_OUT_PATH, ['POST'], signOut),
    row('/account/webhooks/{id}', ['GET', 'HEAD'], showDeliveries),
  ];
}

const WEBHOOKS_ON_A_PAGE = 20;
const DELIVERIES_ON_A_PAGE = 50;
