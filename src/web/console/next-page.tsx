/** The link to the next page of a list. */
import { Problem } from '../../problem.ts';

interface NextPageProps {
  path: string;
  /** The fields of the query that stay. */
  query?: Readonly<Record<string, string | undefined>>;
  /** The `after` of the next page; `undefined` on the last one. */
  cursor: string | undefined;
}

export function NextPage({ path, query = {}, cursor }: NextPageProps) {
  if (cursor === undefined) return null;
  const fields = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) fields.set(name, value);
  fields.set('after', cursor);
  return (
    <p>
      <a class="button quiet" href={`${path}?${fields}`} rel="next">
        Next page
      </a>
    </p>
  );
}

/** Refuses an `after` that is not a cursor of this list. */
export const invalidCursor = () =>
  new Problem('invalid_parameter', 'The address of this page is damaged: start again from the first page.', {
    parameter: 'after',
  });
