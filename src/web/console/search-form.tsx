/** The search of a list, and the link to its next page. */
import type { ComponentChildren } from 'preact';

interface SearchProps {
  path: string;
  query: string;
  label: string;
  maxLength: number;
  /** More beside the button. */
  children?: ComponentChildren;
}

/** A form that opens the list with what it contains. */
export function SearchForm({ path, query, label, maxLength, children }: SearchProps) {
  return (
    <search>
      <form class="search-form" method="get" action={path}>
        <div class="field">
          <label for="query">{label}</label>
          <input
            id="query"
            name="query"
            type="search"
            dir="auto"
            autocomplete="off"
            value={query}
            maxLength={maxLength}
          />
        </div>
        <button class="button" type="submit">
          Search
        </button>
        {children}
      </form>
    </search>
  );
}

interface NextProps {
  path: string;
  /** The parameters of the page; empty ones are left out. No `after`, no page. */
  query: Record<string, string | undefined> & { after: string | undefined };
  /** Such as `#ledger`. */
  anchor?: string;
  children?: string;
}

/** The link to the next page of a list, if there is one. */
export function NextPage({ path, query, anchor = '', children = 'Next page' }: NextProps) {
  if (query.after === undefined) return null;
  const given = Object.entries(query).filter((pair): pair is [string, string] => Boolean(pair[1]));
  return (
    <p>
      <a class="button quiet small" href={`${path}?${new URLSearchParams(given)}${anchor}`} rel="next">
        {children}
      </a>
    </p>
  );
}
