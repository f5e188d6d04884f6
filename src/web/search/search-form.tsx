/** The search field of pages. It is a plain form; client/search.ts adds suggestions while a visitor types. */
import { LONGEST_QUERY } from '../../catalogue/search/text-search.ts';

export const SEARCH_PATH = '/search';

export function SearchForm({ text = '' }: { text?: string }) {
  return (
    <search class="search">
      <form id="search" action={SEARCH_PATH} method="get">
        <label for="q">Find a product by name, brand, EAN or ASIN</label>
        <div class="search-row">
          <div class="search-field">
            <input
              id="q"
              name="q"
              type="search"
              value={text}
              required
              maxLength={LONGEST_QUERY}
              autocomplete="off"
              autocapitalize="none"
              spellcheck={false}
              placeholder="headphones"
            />
            <div id="suggestions" class="suggestions" />
          </div>
          <button class="button" type="submit">
            Search
          </button>
        </div>
      </form>
      <p id="search-state" class="visually-hidden" role="status" />
    </search>
  );
}
