/** The search of a list. */
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
      <form class="filter search" method="get" action={path}>
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
