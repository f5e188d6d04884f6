/**
 * `/console`: the pages of operators. Only browsers with a session get them, which a link of `pda console` opens. Forms also need the
 * token of the session.
 */
import type { FreeRequests } from '../../access/free-requests.ts';
import type { ConsoleAccess } from '../../console/sessions.ts';
import type { Answer, Exchange, Handler } from '../../http/exchange.ts';
import type { ServerRoute } from '../../http/route-table.ts';
import { endpointOf } from '../../operations/endpoint.ts';
import { Problem } from '../../problem.ts';
import { queryOf } from '../forms/fields.ts';
import { formBodyRule, formOf } from '../forms/form-body.ts';
import { formTokenOf, requireOwnForm } from '../forms/same-origin.ts';
import { seeOther } from '../forms/see-other.ts';
import type { Site } from '../layout.tsx';
import { prefersHtml } from '../prefers-html.ts';
import { answerConsole } from './answer-console.ts';
import { openDoor, type SignedIn } from './door.ts';
import { CONSOLE_PATH, SIGN_IN_PATH, SIGN_OUT_PATH } from './layout.tsx';
import { isOnThisMachine } from './on-this-machine.ts';
import { problemPage } from './problem-page.tsx';
import { problemFor } from './refusals.ts';
import { CONSOLE_ROUTES } from './routes.ts';
import { confirmPage, LINK_FIELD, signedOutPage } from './sign-in.tsx';
import type { ConsoleRoute, ConsoleServices } from './visit.ts';

interface Options {
  access: ConsoleAccess;
  free: Pick<FreeRequests, 'look'>;
  site: Site;
}

/** The rows of the route table for the console; none if it is off, so that its paths are unknown. */
export function consoleRoutes(services: ConsoleServices, { access, free, site }: Options): ServerRoute[] {
  if (access === 'off') return [];
  const { database, market, log } = services;
  const door = openDoor(database, free, market.publicUrl);
  const isFor = (exchange: Exchange) => access === 'on' || isOnThisMachine(exchange);
  const row = (path: string, methods: readonly string[], handle: Handler): ServerRoute => ({
    path,
    methods,
    endpoint: endpointOf('page', path.replace('...', '')),
    access: 'limited',
    isFor,
    bodyRule: formBodyRule,
    handle,
  });

  /** Answers with a page in any case: also for a refusal, whose page shows the reason. */
  const orProblem = async (
    exchange: Exchange,
    answer: () => Promise<Answer>,
    signedIn: () => SignedIn | undefined = () => undefined,
  ): Promise<Answer> => {
    try {
      return await answer();
    } catch (error) {
      const problem = problemFor(error);
      if (problem.status >= 500) log.error({ requestId: exchange.id, err: problem.cause ?? problem });
      const token = signedIn()?.cookie;
      return answerConsole(problemPage(problem), site, token && formTokenOf(token), problem.headers);
    }
  };

  const signedOut = (status: number, reason?: string) =>
    answerConsole(signedOutPage(status, reason), site, undefined, status === 401 ? CHALLENGE : {});

  const serve =
    ({ show, act }: ConsoleRoute): Handler =>
    (exchange, values) => {
      let signedIn: SignedIn | undefined;
      return orProblem(
        exchange,
        async () => {
          signedIn = await door.find(exchange);
          if (!signedIn) return signedOut(401, 'You are not signed in, or your session has ended.');
          const { session, cookie } = signedIn;
          const token = formTokenOf(cookie);
          const visit = { exchange, values, query: queryOf(exchange), session, token, services };
          if (exchange.method !== 'POST') {
            if (!show) throw new Error('The route has no page.');
            return answerConsole(await show(visit), site, token);
          }
          const form = formOf(exchange);
          requireOwnForm(exchange, market.publicUrl, form, cookie);
          if (!act) throw new Error('The route has no form.');
          const done = await act({ ...visit, form });
          return typeof done === 'string' ? seeOther(done) : answerConsole(done, site, token);
        },
        () => signedIn,
      );
    };

  const serveSignIn: Handler = (exchange) =>
    orProblem(exchange, async () => {
      if (exchange.method === 'POST') {
        const form = formOf(exchange);
        requireOwnForm(exchange, market.publicUrl, form);
        const opened = await door.open(exchange, form.get(LINK_FIELD));
        return opened === undefined ? signedOut(403, NOT_VALID) : seeOther(CONSOLE_PATH, { 'Set-Cookie': opened });
      }
      const token = queryOf(exchange).get(LINK_FIELD);
      if (token === undefined) return signedOut(200);
      if (!(await door.isValid(exchange, token))) return signedOut(403, NOT_VALID);
      return answerConsole(confirmPage(token), site);
    });

  const serveSignOut: Handler = (exchange) =>
    orProblem(exchange, async () => {
      const signedIn = await door.find(exchange);
      if (!signedIn) return seeOther(SIGN_IN_PATH);
      requireOwnForm(exchange, market.publicUrl, formOf(exchange), signedIn.cookie);
      return seeOther(SIGN_IN_PATH, { 'Set-Cookie': await door.close(signedIn) });
    });

  const serveUnknown: Handler = async (exchange) => {
    const signedIn = await door.find(exchange).catch(() => undefined);
    const page = problemPage(new Problem('not_found', 'The console has no such page: choose one from its menu.'));
    return answerConsole(page, site, signedIn && formTokenOf(signedIn.cookie));
  };

  return [
    ...CONSOLE_ROUTES.map((route) =>
      row(route.path, [...(route.show ? ['GET', 'HEAD'] : []), ...(route.act ? ['POST'] : [])], serve(route)),
    ),
    row(SIGN_IN_PATH, ['GET', 'HEAD', 'POST'], serveSignIn),
    row(SIGN_OUT_PATH, ['POST'], serveSignOut),
    {
      ...row(`${CONSOLE_PATH}/{page...}`, ['GET', 'HEAD'], serveUnknown),
      isHiddenFromOtherMethods: true,
      isFor: (exchange) => isFor(exchange) && prefersHtml(exchange, ['application/json']),
    },
  ];
}

const NOT_VALID = 'This link is not valid: it was used, has expired after ten minutes, or was mistyped.';

/** RFC 9110 §11.6.1 requires a challenge. Browsers do not know this one, so they show the page. */
const CHALLENGE = { 'WWW-Authenticate': 'ConsoleLink' };
