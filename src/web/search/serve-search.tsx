/** `/search`: the products that match a text, a brand or a category, as a page that needs no script. */
import type { Context } from '../../catalogue/builder.ts';
import { listTags } from '../../catalogue/product/product-filter.ts';
import type { Handler } from '../../http/exchange.ts';
import { type FreeWork, PRICE_OF_PAGE } from '../../http/free-work.ts';
import { type Keeping, openKeeping, respond } from '../../rest/kept-answers.ts';
import { counted } from '../../values/counted.ts';
import { priceFormat } from '../../values/price-format.ts';
import { writePage } from '../answer-page.tsx';
import type { Page, Site } from '../layout.tsx';
import { Picture } from '../picture.tsx';
import { shippingRemark } from '../product/words.ts';
import { openResults, type Results, type Searched } from './results.ts';
import { SEARCH_PATH, SearchForm } from './search-form.tsx';
import { searchedText } from './suggestions.ts';

const LONGEST_SLUG = 200;

/** Serves the page. It is cached like the lists of REST. */
export function serveSearch(
  shared: Omit<Context, 'access'>,
  keeping: Keeping,
  site: Site,
  freeWork: FreeWork,
): Handler {
  const readResults = openResults();
  const keepWork = openKeeping(keeping);

  return async (exchange) => {
    const parameters = new URLSearchParams(exchange.search);
    const searched = searchedOf(searchedText(exchange), parameters);
    const cursor = parameters.get('cursor') || undefined;
    const key = JSON.stringify([SEARCH_PATH, searched, cursor]);
    const work = async () => {
      const context = { ...shared, access: exchange.access };
      const results = Object.keys(searched).length > 0 ? await readResults(searched, cursor, context) : undefined;
      const page = pageOf(searched, results, cursor !== undefined);
      const answer = writePage(page, site, { headers: { 'X-Robots-Tag': 'noindex' } });
      return { answer, tags: () => listTags(searched, context) };
    };
    return respond(exchange, await keepWork(key, work, freeWork.queued(exchange, PRICE_OF_PAGE)));
  };
}

function searchedOf(query: string, parameters: URLSearchParams): Searched {
  const reference = (name: 'brand' | 'category') => {
    const value = parameters.get(name) ?? '';
    return value !== '' && value.length <= LONGEST_SLUG && { [name]: value };
  };
  return { ...(query !== '' && { query }), ...reference('brand'), ...reference('category') };
}

const pageOf = (searched: Searched, results: Results | undefined, isContinued: boolean): Page => ({
  title: titleOf(searched),
  description: 'Products and their lowest prices.',
  path: SEARCH_PATH,
  content: <Content searched={searched} results={results} isContinued={isContinued} />,
  styles: ['front-page.css'],
  scripts: ['pictures.js', 'search.js'],
});

const titleOf = ({ query, brand, category }: Searched) => {
  const words = [query, brand, category].filter((each) => each !== undefined).join(', ');
  return words === '' ? 'Search' : `Search: ${words}`;
};

interface ContentProps {
  searched: Searched;
  results: Results | undefined;
  isContinued: boolean;
}

function Content({ searched, results, isContinued }: ContentProps) {
  return (
    <>
      <h1>{titleOf(searched)}</h1>
      <SearchForm text={searched.query ?? ''} />
      {results && <Found searched={searched} results={results} isContinued={isContinued} />}
    </>
  );
}

function Found({ searched, results, isContinued }: ContentProps & { results: Results }) {
  const { nodes, pageInfo, totalCount, totalIsExact } = results;
  if (nodes.length === 0 && !isContinued) {
    return (
      <p class="notice">
        No product matches. Check the spelling, use fewer words, or search for the EAN on the package.
      </p>
    );
  }
  return (
    <>
      <p class="muted">
        {totalIsExact ? '' : 'More than '}
        {totalCount.toLocaleString('en')} {totalCount === 1 ? 'product' : 'products'}
      </p>
      <ul class="tiles">
        {nodes.map(({ id, name, brandName, url, image, priceStats: { currency, min, ...stats } }) => (
          <li key={id} class="card tile">
            <Picture name={brandName ?? name} image={image} size={96} />
            <div>
              {brandName && <p class="tile-brand">{brandName}</p>}
              <h2 class="tile-name">
                <a href={url}>{name}</a>
              </h2>
              <p class="tile-price">
                {min === null ? (
                  'No offer now'
                ) : (
                  <>
                    <strong>{priceFormat(currency)(min)}</strong>{' '}
                    <span class="muted small">
                      {counted(stats.offerCount, 'offer').replace(' ', '\u00a0')}
                      {shippingRemark(stats.minShippingKnown)}
                    </span>
                  </>
                )}
              </p>
            </div>
          </li>
        ))}
      </ul>
      {pageInfo.hasNextPage && (
        <p>
          <a class="button quiet" rel="next" href={nextOf(searched, pageInfo.endCursor)}>
            More products
          </a>
        </p>
      )}
    </>
  );
}

function nextOf({ query, brand, category }: Searched, cursor: string | null): string {
  const given = { q: query, brand, category, cursor: cursor ?? undefined };
  const parameters = Object.entries(given).filter((each): each is [string, string] => each[1] !== undefined);
  return `${SEARCH_PATH}?${new URLSearchParams(parameters)}`;
}
