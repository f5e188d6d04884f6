/** Serves the REST routes, from documents that are compiled once or from the response cache. */
import type { Context } from '../catalogue/builder.ts';
import { type Answer, type Exchange, headerOf } from '../http/exchange.ts';
import type { ServerRoute } from '../http/route-table.ts';
import type { PathValues } from '../http/router.ts';
import { endpointOf } from '../operations/endpoint.ts';
import type { Soon } from '../soon.ts';
import { openSource } from './body.ts';
import { chooseForm, type Form, formsOf, type Result } from './forms.ts';
import { type Keeping, openKeeping, respond, type WrittenAnswer, writeAnswer } from './kept-answers.ts';
import { parseParameters } from './parameters.ts';
import type { Route } from './route.ts';
import { ROUTES } from './routes.ts';

const MINUTE_MS = 60_000;

/** Answers requests to the routes. */
export type RouteAnswers = ReturnType<typeof openRoutes>;

/** Prepares the routes. This compiles their documents, once. */
export function openRoutes(shared: Omit<Context, 'access'>, keeping: Keeping) {
  const keepWork = openKeeping(keeping);
  const rows = new Map(
    ROUTES.map((route) => {
      const dependsOn = 'dependsOn' in route.source ? route.source.dependsOn : undefined;
      return [route, { source: openSource(route, shared.market), forms: formsOf(route), dependsOn }];
    }),
  );

  return {
    /**
     * The response to an admitted request.
     * @param path the path parameters.
     * @param accept the header that chooses the form; JSON without it.
     * @throws {Problem} for the client.
     */
    answer(
      route: Route,
      path: PathValues,
      { pathname, search, access }: Pick<Exchange, 'pathname' | 'search' | 'access'>,
      accept?: string,
    ): Soon<WrittenAnswer> {
      const row = rows.get(route);
      if (!row) throw new Error(`The route ${route.path} is not in the table.`);
      const { source, forms, dependsOn } = row;
      const form = forms.length === 1 ? forms[0] : chooseForm(forms, accept);
      const target = pathname + search;
      const work = async () => {
        const values = parseParameters(route.parameters, path, new URLSearchParams(search));
        const context = { ...shared, access, listsAllOffers: true };
        const result = await source(values, context);
        const text = form.write(result);
        const written = typeof text === 'string' ? text : await text; // Saves a microtask if the form is synchronous.
        const answer = writeAnswer(written, headersOf(route, target, result, form, forms.length > 1), result.links);
        return { answer, tags: () => dependsOn?.(result.answer, values, context) ?? [] };
      };
      if (!dependsOn) return work().then(({ answer }) => answer);
      // The separator cannot be part of a target, because targets contain no spaces.
      const kept = form === forms[0] ? target : `${target} ${form.mediaType}`;
      return keepWork(route.changesWithTime ? `${Math.floor(Date.now() / MINUTE_MS)} ${kept}` : kept, work);
    },
  };
}

/** The headers of a response. @param target the requested URL, without its origin. */
function headersOf({ access }: Route, target: string, result: Result, form: Form, hasForms: boolean) {
  const isPublic = access === 'limited';
  const links = Object.entries({ ...result.links, ...nextPage(target, result.body) });
  const headers: Record<string, string> = {
    'Content-Type': form.mediaType,
    'Cache-Control': isPublic ? 'public, max-age=3600' : 'private, max-age=30',
    // Caches must not share responses between keys. At `/`, the response depends on `Accept`.
    Vary: isPublic ? 'Accept' : hasForms ? 'x-api-key, Accept' : 'x-api-key',
    ...form.headersOf?.(result),
  };
  if (links.length > 0) headers.Link = links.map(([relation, path]) => `<${path}>; rel="${relation}"`).join(', ');
  return headers;
}

function nextPage(target: string, body: unknown): Record<string, string> {
  const cursor = (body as { page?: { nextCursor?: string } }).page?.nextCursor;
  if (cursor === undefined) return {};
  // A query may contain further question marks (RFC 3986 §3.4).
  const mark = `${target}?`.indexOf('?');
  const query = new URLSearchParams(target.slice(mark + 1));
  query.set('cursor', cursor);
  return { next: `${target.slice(0, mark)}?${query}` };
}

/** The entries of the server's route table for {@link ROUTES}. */
export function restRoutes(answers: RouteAnswers): ServerRoute[] {
  return ROUTES.map((route) => {
    const { path, access } = route;
    const row = {
      path,
      endpoint: endpointOf('rest', path),
      handle(exchange: Exchange, values: PathValues): Soon<Answer> {
        const writing = answers.answer(route, values, exchange, headerOf(exchange, 'accept'));
        return writing instanceof Promise
          ? writing.then((written) => respond(exchange, written))
          : respond(exchange, writing);
      },
    };
    return access === 'metered' ? { ...row, access, price: 'one request' } : { ...row, access };
  });
}
