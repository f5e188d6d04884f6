/** The front page for browsers at `/`: an introduction, a lookup to try, links and the plans. Programs get the service index. */
import { LRUCache } from 'lru-cache';
import { DEMO_REQUESTS_A_MINUTE } from '../access/demo-key.ts';
import { PLANS, type Plan } from '../access/plans.ts';
import type { Context } from '../catalogue/builder.ts';
import type { Handler } from '../http/exchange.ts';
import { remembered } from '../remember.ts';
import { respond, type WrittenAnswer } from '../rest/kept-answers.ts';
import { writePage } from './answer-page.tsx';
import { Deals } from './deals.tsx';
import { type FrontDeal, openFrontDeals } from './front-deals.ts';
import { KeyField } from './key-field.tsx';
import { numbers, type Page, ScrollTable, type Site } from './layout.tsx';
import { SearchForm } from './search/search-form.tsx';

// A product of the demo catalogue.
const EXAMPLE_EAN = '4006381333931';

const DESCRIPTION =
  'Send a product’s EAN, GTIN or ASIN and get the product, every shop’s current price, price statistics and availability.';

const WAYS: readonly (readonly [path: string, title: string, text: string])[] = [
  ['/docs', 'API reference', 'Every route, parameter and response of the REST API, to try with your key.'],
  ['/graphql', 'GraphiQL', 'The same data over GraphQL, with examples, completion and live prices.'],
  ['/docs/api', 'Guide', 'How to look up, search, page, compare and stay within your plan.'],
  ['/docs/errors', 'Errors', 'Each error code, whether the request is charged, and what to do.'],
  ['/docs/agents', 'Agents', 'Tools over the Model Context Protocol, with the same key.'],
  ['/llms.txt', 'llms.txt', 'All of this on one page, for language models.'],
];

// A new demo key and new deals show after this time, and the page is made at most this often.
const LIFE_MS = 2_000;

/**
 * Serves the page to browsers.
 * @param readDemoKey returns the public key of a demo, if there is one.
 */
export function serveFrontPage(
  shared: Omit<Context, 'access'>,
  site: Site,
  readDemoKey: () => Promise<string | undefined>,
): Handler {
  const readDeals = openFrontDeals();
  const memory = new LRUCache<'page', Promise<WrittenAnswer>>({ max: 1, ttl: LIFE_MS });
  const write = async (context: Context) => {
    const [deals, demoKey] = await Promise.all([readDeals(context), readDemoKey()]);
    const { publicUrl, currency } = shared.market;
    const page = pageOf({ publicUrl, currency, deals, demoKey, hasGraphiql: site.hasGraphiql });
    return writePage(page, site, { headers: { Vary: 'Accept' } });
  };
  return async (exchange) =>
    respond(exchange, await remembered(memory, 'page', () => write({ ...shared, access: exchange.access })));
}

interface Shown {
  publicUrl: string;
  currency: string;
  deals: readonly FrontDeal[];
  demoKey: string | undefined;
  hasGraphiql: boolean;
}

const pageOf = (shown: Shown): Page => ({
  title: 'Product Data API',
  description: DESCRIPTION,
  path: '/',
  content: <FrontPage {...shown} />,
  styles: ['front-page.css'],
  scripts: ['pictures.js', 'search.js', 'lookup.js', 'copy.js'],
});

function FrontPage({ publicUrl, currency, deals, demoKey, hasGraphiql }: Shown) {
  return (
    <>
      <div class="opening">
        <h1>Product data and prices by EAN or ASIN</h1>
        <p class="lede">{DESCRIPTION} REST and GraphQL on one schema, with one key.</p>
        <SearchForm />
      </div>
      <Deals deals={deals} currency={currency} />
      <LookupForm publicUrl={publicUrl} demoKey={demoKey} />
      <h2>Learn more</h2>
      <ul class="cards ways">
        {WAYS.filter(([path]) => hasGraphiql || path !== '/graphql').map(([path, title, text]) => (
          <li key={path} class="card">
            <h3>
              <a href={path}>{title}</a>
            </h3>
            <p>{text}</p>
          </li>
        ))}
      </ul>
      <h2 id="plans">Plans</h2>
      <div class="plans">
        <Plans />
      </div>
    </>
  );
}

function LookupForm({ publicUrl, demoKey }: Pick<Shown, 'publicUrl' | 'demoKey'>) {
  return (
    <section class="card try" aria-labelledby="try">
      <h2 id="try">Try a lookup</h2>
      {/* By POST, so that the key cannot end up in a URL if the script is missing. */}
      <form id="lookup" method="post">
        <div class="field">
          <label for="identifier">EAN, GTIN or ASIN</label>
          <input
            id="identifier"
            type="text"
            value={EXAMPLE_EAN}
            required
            autocomplete="off"
            spellcheck={false}
            aria-describedby="identifier-hint"
          />
          <p class="hint" id="identifier-hint">
            13 or 14 digits for an EAN or GTIN, 10 letters and digits for an ASIN.
          </p>
        </div>
        <KeyField
          value={demoKey}
          hint={
            demoKey === undefined
              ? 'The operator of this service issues keys. A lookup costs one request.'
              : `This is the public demo key: ${DEMO_REQUESTS_A_MINUTE} requests a minute, only to read. Create your own with pda keys create.`
          }
        />
        <button id="look-up" class="button" type="submit">
          Look up
        </button>
      </form>
      <noscript>
        <p class="notice">This form needs JavaScript. The search above and the command below work without it.</p>
      </noscript>
      <div id="result" aria-live="polite" />
      <h3>From a terminal</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what can be scrolled must be reachable with the keyboard. */}
      <pre data-copy tabIndex={0}>
        <code id="command" data-address={publicUrl}>
          {`curl -H "x-api-key: $KEY" '${publicUrl}/api/v1/lookup?ean=${EXAMPLE_EAN}'`}
        </code>
      </pre>
    </section>
  );
}

const requestsOf = ({ monthlyQuota }: Plan) => (monthlyQuota === 0 ? 'unlimited' : monthlyQuota.toLocaleString('en'));
const priceOf = ({ priceEur }: Plan) => (priceEur === null ? 'on request' : `€${priceEur}`);

function Plans() {
  return (
    <ScrollTable label="Plans" columns={['Plan', numbers('Requests per month'), numbers('Price per month'), 'For']}>
      {PLANS.map((plan) => (
        <tr key={plan.id}>
          <th scope="row">{plan.name}</th>
          <td class="number">{requestsOf(plan)}</td>
          <td class="number">{priceOf(plan)}</td>
          <td>{plan.description}</td>
        </tr>
      ))}
    </ScrollTable>
  );
}
