/** Starts GraphiQL with the page's examples. The key is typed once, kept here, and used in all tabs. */
import { keepKey, keptKey, keyKeptForLong } from './parts/kept-key.ts';

interface Settings {
  endpoint: string;
  examples: { query: string; variables?: Record<string, unknown> }[];
  workers: Record<string, string>;
}

interface Tab {
  query: string;
  variables?: string;
  headers: string;
}

declare const YogaGraphiQL: { renderYogaGraphiQL(root: Element | null, options: object): void };

const KEY_HEADER = 'x-api-key';
// GraphiQL's own storage key for its tabs.
const KEPT_TABS = 'graphiql:tabState';

const settings: Settings = JSON.parse(document.querySelector('script[type="application/json"]')?.textContent ?? '{}');

Object.assign(globalThis, {
  MonacoEnvironment: {
    globalAPI: false,
    getWorkerUrl: (_module: string, label: string) => settings.workers[label],
  },
});

// GraphiQL has separate headers for each tab. A tab with an empty key uses the last key.
const ask = globalThis.fetch.bind(globalThis);
globalThis.fetch = (input, init) => {
  const headers = new Headers(init?.headers);
  const typed = headers.get(KEY_HEADER);
  if (typed && typed !== keptKey()) keepKey(typed, true);
  const key = typed || keptKey();
  if (key) headers.set(KEY_HEADER, key);
  // Introspection is free without a key, so an invalid key must not prevent it.
  const body = init?.body;
  if (typeof body === 'string' && body.includes('"operationName":"IntrospectionQuery"')) headers.delete(KEY_HEADER);
  return ask(input, { ...init, headers });
};

const NO_KEY = JSON.stringify({ [KEY_HEADER]: '' }, null, 2);
// GraphiQL stores what its tabs show, so a key that is kept only for this browser tab is sent but not shown.
const headers = JSON.stringify({ [KEY_HEADER]: keyKeptForLong() ?? '' }, null, 2);
const tabs: Tab[] = settings.examples.map(({ query, variables }) => ({
  query,
  headers,
  ...(variables && { variables: JSON.stringify(variables, null, 2) }),
}));

/** The tab that GraphiQL starts with. It must be one that GraphiQL has stored, or GraphiQL would add a tab at each visit. */
function firstTab(): Tab | undefined {
  // A link may contain an operation.
  const query = new URLSearchParams(location.search).get('query');
  if (query) return { query, headers };
  try {
    const kept: { tabs: Tab[]; activeTabIndex: number } = JSON.parse(localStorage.getItem(KEPT_TABS) ?? '');
    // Tabs without a key show the one that they use.
    for (const tab of kept.tabs) if (!tab.headers || tab.headers === NO_KEY) tab.headers = headers;
    localStorage.setItem(KEPT_TABS, JSON.stringify(kept));
    return kept.tabs[kept.activeTabIndex] ?? tabs[0];
  } catch {
    return tabs[0]; // No stored tabs, or not readable.
  }
}

const first = firstTab();

YogaGraphiQL.renderYogaGraphiQL(document.querySelector('#graphiql'), {
  title: 'GraphiQL',
  endpoint: settings.endpoint,
  headers,
  shouldPersistHeaders: true,
  defaultTabs: tabs,
  initialQuery: first?.query ?? '',
  initialVariables: first?.variables ?? undefined,
  initialHeaders: first?.headers ?? headers,
  // By default, it would write the operation into the URL, which could become too long to reload.
  onEditQuery: () => {},
});
