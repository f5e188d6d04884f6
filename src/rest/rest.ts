/** Serves the REST routes, from documents that are compiled once or from the response cache. */
import { atPrice } from '../access/access-class.ts';
import type { Context } from '../catalogue/builder.ts';
import { type Answer, type Exchange, goneOf, headerOf } from '../http/exchange.ts';
import type { ServerRoute } from '../http/route-table.ts';
import type { PathValues } from '../http/router.ts';
import { endpointOf } from '../operations/endpoint.ts';
import { Problem } from '../problem.ts';
import { remembered } from '../remember.ts';
import type { Soon } from '../soon.ts';
import { openSource } from './body.ts';
import { chooseForm, type Form, formsOf, type Result } from './forms.ts';
import { type Keeping, openKeeping, respond, type WrittenAnswer, writeAnswer } from './kept-answers.ts';
import type { LongPolls, Poll } from './long-polls.ts';
import { parseParameters } from './parameters.ts';
import { jsonBodyRule, readBody } from './request-body.ts';
import type { Route } from './route.ts';
import { ROUTES } from './routes.ts';

const MINUTE_MS = 60_000;

/** What a request says besides its URL. */
interface Asked {
  accept?: string | undefined;
  body?: Record<string, unknown> | undefined;
  gone?: Poll['gone'] | undefined;
}

/** Answers requests to the routes. */
export type RouteAnswers = ReturnType<typeof openRoutes>;

/** Prepares the routes. This compiles their documents, once. */
export function openRoutes(shared: Omit<Context, 'access'>, keeping: Keeping, polls: LongPolls) {
  const keepWork = openKeeping(keeping);
  const rows = new Map(
    ROUTES.map((route) => {
      const dependsOn = 'dependsOn' in route.source ? route.source.dependsOn : undefined;
      return [route, { source: openSource(route, shared.market), forms: formsOf(route), dependsOn }];
    }),
  );
  /** The fixed responses, by path and form. */
  const fixed = new Map<string, Promise<WrittenAnswer>>();

  return {
    /**
     * The response to an admitted request.
     * @param path the path parameters.
     * @param options the header that chooses the form, JSON without it; the request's body, if the route takes one; and the signal that its
     *   client has left, only for a request that may wait.
     * @throws {Problem} for the client.
     */
    answer(
      route: Route,
      path: PathValues,
      { pathname, search, access }: Pick<Exchange, 'pathname' | 'search' | 'access'>,
      { accept, body, gone }: Asked = {},
    ): Soon<WrittenAnswer> {
      const row = rows.get(route);
      if (!row) throw new Error(`The route ${route.path} is not in the table.`);
      const { source, forms, dependsOn } = row;
      const form = forms.length === 1 ? forms[0] : chooseForm(forms, accept);
      const target = pathname + search;
      const work = async () => {
        const parsed = parseParameters(route.parameters, path, new URLSearchParams(search));
        const values = body ? { ...parsed, body } : parsed;
        const context = { ...shared, access, listsAllOffers: true };
        const result = await (gone && Number(values.wait) > 0
          ? polls.poll({ access, gone }, values, (cursor) => source(cursor ? { ...values, cursor } : values, context))
          : source(values, context));
        const text = form.write(result);
        const written = typeof text === 'string' ? text : await text; // Saves a microtask if the form is synchronous.
        const answer = writeAnswer(written, headersOf(route, target, result, form, forms.length > 1), result.links);
        return { answer, tags: () => dependsOn?.(result.answer, values, context) ?? [] };
      };
      const make = () => work().then(({ answer }) => answer);
      if (route.isFixed) return remembered(fixed, `${route.path} ${form.mediaType}`, make);
      if (!dependsOn) return make();
      // The separator cannot be part of a target, because targets contain no spaces.
      const kept = form === forms[0] ? target : `${target} ${form.mediaType}`;
      return keepWork(route.changesWithTime ? `${Math.floor(Date.now() / MINUTE_MS)} ${kept}` : kept, work);
    },
  };
}

/** The headers of a response. @param target the requested URL, without its origin. */
function headersOf({ access, source, method }: Route, target: string, result: Result, form: Form, hasForms: boolean) {
  const isPublic = access === 'limited';
  const links = Object.entries({ ...result.links, ...nextPage(target, result.body) });
  const headers: Record<string, string> = {
    'Content-Type': form.mediaType,
    'Cache-Control': method === 'POST' ? 'no-store' : isStream(source) ? 'private, no-cache' : CACHE_CONTROL[access],
    // Caches must not share responses between keys. At `/`, the response depends on `Accept`.
    Vary: isPublic ? 'Accept' : hasForms ? 'x-api-key, Accept' : 'x-api-key',
    ...form.headersOf?.(result),
  };
  if (result.location !== undefined) headers.Location = result.location;
  if (links.length > 0) headers.Link = links.map(([relation, path]) => `<${path}>; rel="${relation}"`).join(', ');
  return headers;
}

/** What belongs to a key changes at any time, and may contain a secret. */
const CACHE_CONTROL = {
  limited: 'public, max-age=3600',
  keyed: 'no-store',
  metered: 'private, max-age=30',
} as const satisfies Record<Route['access'], string>;
// Clients ask for the same page of a stream again until it has changes.
const isStream = (source: Route['source']) => 'document' in source && source.shape === 'stream';

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
    const sent = sendingOf(route);
    const { path, access, method = 'GET', body: shape } = route;
    const row = {
      path,
      ...(method !== 'GET' && { methods: [method] }),
      ...(shape && { bodyRule: jsonBodyRule }),
      endpoint: endpointOf('rest', path),
      ...(route.waits && { isPatient: asksToWait }),
      handle(exchange: Exchange, values: PathValues): Soon<Answer> {
        const body = shape && readBody(shape, exchange);
        const waits = route.waits && asksToWait(exchange);
        if (waits) exchange.endpoint = endpointOf('rest', path, WAITING);
        const gone = waits ? goneOf(exchange) : undefined;
        const writing = answers.answer(route, values, exchange, { accept: headerOf(exchange, 'accept'), body, gone });
        return writing instanceof Promise
          ? writing.then((written) => sent(written, exchange))
          : sent(writing, exchange);
      },
    };
    if (access !== 'metered') return { ...row, access };
    const { requestsOf } = route;
    return requestsOf
      ? { ...row, access, price: 'by content', handle: chargeByBody(row.handle, shape, requestsOf) }
      : { ...row, access, price: 'one request' };
  });
}

/** Charges a request by its body before it is answered. A body that is refused costs one request, and is reported once that is charged. */
function chargeByBody(
  handle: (exchange: Exchange, values: PathValues) => Soon<Answer>,
  shape: Route['body'],
  requestsOf: NonNullable<Route['requestsOf']>,
) {
  const priceOf = (exchange: Exchange): number => {
    try {
      return shape ? requestsOf(readBody(shape, exchange)) : 1;
    } catch (error) {
      if (error instanceof Problem) return 1;
      throw error;
    }
  };
  return (exchange: Exchange, values: PathValues) =>
    atPrice(exchange.access, priceOf(exchange), () => handle(exchange, values));
}

/** Turns a written response into an answer with the route's status. */
function sendingOf({ status = 200, method = 'GET' }: Route): (written: WrittenAnswer, exchange: Exchange) => Answer {
  if (method === 'GET') return (written, exchange) => respond(exchange, written);
  return ({ body, headers }) => {
    // An entity tag is that of the resource at the URL, which this body is not (RFC 9110 §8.8.3).
    const { ETag: _, ...others } = headers;
    if (status !== 204) return { status, headers: others, body };
    const { 'Content-Type': _type, 'Content-Length': _length, ...rest } = others;
    return { status, headers: rest, body: null };
  };
}

// Requests that wait have their own series in the metrics, since their durations say nothing about the service.
const WAITING = 'wait';

const asksToWait = ({ search }: Exchange): boolean => Number(new URLSearchParams(search).get('wait')) > 0;
