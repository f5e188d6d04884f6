/**
 * Every path of the server, with its access class and its handler. The gate uses only this table, and answers 404 to all other
 * paths. REST has its own table of routes (`rest/routes.ts`), whose rows join this one.
 */
import { openDemoKey } from './access/demo-key.ts';
import { keepRows } from './catalogue/keep.ts';
import { serveRedirects } from './clicks/redirect.ts';
import type { Config } from './config.ts';
import { GRAPHQL_METHODS, GRAPHQL_PATH, graphqlBodyRule, serveGraphql } from './graphql/serve-graphql.ts';
import { NOWHERE, refuseUnknown } from './http/answering.ts';
import type { Exchange } from './http/exchange.ts';
import { type FreeWork, PRICE_OF_PAGE } from './http/free-work.ts';
import type { ServerRoute } from './http/route-table.ts';
import type { Traffic } from './http/traffic.ts';
import { MCP_KEY_SOURCE, MCP_METHODS, MCP_PATH, mcpBodyRule, serveMcp } from './mcp/serve-mcp.ts';
import { endpointOf } from './operations/endpoint.ts';
import { serveLiveness, serveReadiness } from './operations/health.ts';
import { exportRoutes } from './rest/exports/serve-exports.ts';
import type { KeptAnswers } from './rest/kept-answers.ts';
import type { LongPolls } from './rest/long-polls.ts';
import { openRoutes, restRoutes } from './rest/rest.ts';
import type { Services } from './services.ts';
import { accountRoutes } from './web/account/serve-account.ts';
import { isAsset, serveAssets } from './web/assets.ts';
import { consoleRoutes } from './web/console/serve-console.ts';
import { serveDocPages } from './web/doc-page.tsx';
import { DOCS_PATH, docOf, markdownOf, serveMarkdown } from './web/docs.ts';
import { serveFrontPage } from './web/front-page.tsx';
import { serveGraphiql } from './web/graphiql.tsx';
import type { Site } from './web/layout.tsx';
import { serveNoGraphiql } from './web/no-graphiql.tsx';
import { prefersHtml } from './web/prefers-html.ts';
import { serveDigitalLinks } from './web/product/digital-link.ts';
import { serveProducts } from './web/product/serve-products.ts';
import { serveReference } from './web/reference.tsx';
import { REPORTS_PATH } from './web/report/page.tsx';
import { serveReports } from './web/report/serve-reports.ts';
import { SEARCH_PATH } from './web/search/search-form.tsx';
import { serveSearch } from './web/search/serve-search.tsx';
import { SUGGEST_PATH, serveSuggestions } from './web/search/suggestions.ts';

// Totals and facets: a few rows each.
const MOST_KEPT_ROWS = 2_000;

const HEALTH = {
  endpoint: endpointOf('other', '/healthz, /readyz'),
  access: 'public',
  isVital: true,
} as const;
const DOC_FILE = { endpoint: endpointOf('other', '/docs/{page}'), access: 'limited', handle: serveMarkdown() } as const;

const page = (route: string) => ({ endpoint: endpointOf('page', route), access: 'limited' }) as const;

const likesHtml = (exchange: Exchange) => prefersHtml(exchange, ['application/json']);
const likesHtmlMore = (exchange: Exchange) => prefersHtml(exchange, ['text/markdown']);

/** The optional parts of a deployment. GraphiQL sends untrusted documents, and needs introspection to start. */
export const siteOf = ({ hasIntrospection, trustedDocuments }: Config): Site => ({
  hasGraphiql: hasIntrospection && !trustedDocuments.isOnly,
});

/** What the requests of a process share. */
export interface ProcessState {
  answers: KeptAnswers;
  polls: LongPolls;
  traffic: Traffic;
  freeWork: FreeWork;
  /** True once the process has been told to stop. */
  isDraining(): boolean;
}

/**
 * The rows of the route table. Of several with the same path, the first whose `isFor` accepts a request answers it.
 */
export function serverRoutes(
  services: Services,
  { answers, polls, traffic, freeWork, isDraining }: ProcessState,
): ServerRoute[] {
  const {
    config,
    log,
    tracing,
    database,
    catalogue,
    prisma,
    loaders,
    livePrices,
    market,
    clicks,
    version,
    webhooks,
    account,
  } = services;
  const { hasIntrospection, trustedDocuments: trusted, corsOrigins } = config;
  const shared = {
    prisma,
    catalogue: keepRows(catalogue, version, MOST_KEPT_ROWS),
    loaders,
    livePrices,
    market,
    webhooks,
    account,
  };
  const keeping = { answers, version };
  const site = siteOf(config);
  const { hasGraphiql } = site;
  const agents = { ...services, corsOrigins };
  const routes = openRoutes(shared, keeping, polls);
  const rest = restRoutes(routes);

  return [
    // Metered: the catalogue over REST, GraphQL and MCP.
    ...rest,
    ...exportRoutes(services, { traffic, isDraining }),
    {
      path: GRAPHQL_PATH,
      ...page(GRAPHQL_PATH),
      // Without GraphiQL, a browser may still send an operation in the URL.
      isFor: (exchange) => (hasGraphiql || exchange.search === '') && likesHtml(exchange),
      handle: hasGraphiql ? serveGraphiql() : serveNoGraphiql(),
    },
    {
      path: GRAPHQL_PATH,
      methods: GRAPHQL_METHODS,
      endpoint: endpointOf('graphql', GRAPHQL_PATH),
      access: 'metered',
      price: 'by content',
      bodyRule: graphqlBodyRule,
      handle: serveGraphql(shared, log, { trusted, hasIntrospection, tracing, freeWork }),
    },
    {
      path: MCP_PATH,
      methods: MCP_METHODS,
      endpoint: endpointOf('mcp', MCP_PATH),
      access: 'metered',
      price: 'by content',
      keySource: MCP_KEY_SOURCE,
      bodyRule: mcpBodyRule(agents),
      handle: serveMcp(agents, routes, freeWork),
    },

    // Limited: free answers that take work to make.
    { path: '/', ...page('/'), isFor: likesHtml, handle: serveFrontPage(shared, site, openDemoKey(services)) },
    { path: SEARCH_PATH, ...page(SEARCH_PATH), handle: serveSearch(shared, keeping, site, freeWork) },
    { path: SUGGEST_PATH, ...page(SUGGEST_PATH), handle: serveSuggestions(shared, keeping, freeWork) },
    ...rest.filter(({ path }) => path === '/api/v1').map((index) => ({ ...index, path: '/' })),
    {
      path: '/products/{page...}',
      ...page('/products/{slug}'),
      handle: serveProducts(shared, keeping, site, freeWork),
    },
    { path: '/01/{gtin...}', ...page('/01/{gtin}'), handle: freeWork.handler(0, serveDigitalLinks(shared, site)) },
    {
      path: `${REPORTS_PATH}/{token}`,
      ...page(`${REPORTS_PATH}/{token}`),
      handle: freeWork.handler(PRICE_OF_PAGE, serveReports(services, site)),
    },
    {
      path: '/go/{offer...}',
      endpoint: endpointOf('other', '/go/{offer}'),
      access: 'limited',
      handle: serveRedirects(loaders, clicks),
    },
    { path: DOCS_PATH, ...page(DOCS_PATH), isFor: likesHtmlMore, handle: serveReference(site) },
    { path: DOCS_PATH, ...DOC_FILE },
    {
      path: '/docs/{page...}',
      ...page('/docs/{page}'),
      isFor: (exchange, { page: name }) => docOf(name) !== undefined && likesHtmlMore(exchange),
      handle: serveDocPages(site),
    },
    { path: '/docs/{page...}', ...DOC_FILE, isFor: (_exchange, { page: name }) => markdownOf(name) !== undefined },
    ...accountRoutes(services, site),
    ...consoleRoutes(
      { ...services, shared, secretKey: config.secretKey },
      { access: config.console, free: services.free, site },
    ),
    // Nothing is here, but clients that guess page names are limited too.
    ...[
      '/docs/{page...}',
      '/products',
      '/go',
      REPORTS_PATH,
      ...(config.console === 'off' ? [] : ['/console', '/console/{page...}']),
    ].map((path): ServerRoute => {
      return { path, endpoint: NOWHERE, access: 'limited', isHiddenFromOtherMethods: true, handle: refuseUnknown };
    }),

    // Public: answers from memory.
    {
      path: '/assets/{file...}',
      endpoint: endpointOf('page', '/assets/{file}'),
      access: 'public',
      isFor: (_exchange, { file }) => isAsset(file),
      handle: serveAssets(),
    },
    { path: '/healthz', ...HEALTH, handle: serveLiveness },
    { path: '/readyz', ...HEALTH, handle: serveReadiness(database, isDraining) },
  ];
}
