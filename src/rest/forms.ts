/** The forms of a route's response: always JSON, CSV for lists, and any other forms of the route. The client's `Accept` chooses. */
import { CSV_TYPE, csvHeaders, toCsv } from './csv.ts';
import { chooseRepresentation } from './representation.ts';
import type { ParameterValues, Route } from './route.ts';
import { tableOf } from './table.ts';

/** The result of a route's source. */
export interface Result {
  /** The JSON body. */
  body: unknown;
  /** The root field's value, with its internal members; empty if the source is not GraphQL. */
  answer: Record<string, unknown>;
  values: ParameterValues;
  /** Links to related resources: relation and path. */
  links: Record<string, string>;
  /** The path of what was created. */
  location?: string;
}

/** How to render a result. */
export interface Form {
  mediaType: string;
  write(result: Result): string | Promise<string>;
  /** Headers for values that do not fit into this form's body. */
  headersOf?(result: Result): Readonly<Record<string, string>>;
}

/** The forms of a response, the default first. */
export type Forms = readonly [Form, ...Form[]];

const JSON_FORM: Form = { mediaType: 'application/json', write: ({ body }) => JSON.stringify(body) };

/** The forms of a route's response. */
export function formsOf({ source }: Route): Forms {
  if ('body' in source) {
    const { mediaType } = source;
    return mediaType === JSON_FORM.mediaType ? [JSON_FORM] : [{ mediaType, write: ({ body }) => String(body) }];
  }
  const others = (source.forms ?? []).map(({ mediaType, write, headers = {} }) => ({
    mediaType,
    write: ({ answer, values }: Result) => write(answer, values),
    headersOf: () => headers,
  }));
  const table = tableOf(source);
  if (!table) return [JSON_FORM, ...others];
  const csv: Form = {
    mediaType: CSV_TYPE,
    write: ({ body }) => toCsv(table.columns, table.rowsOf(body)),
    headersOf: ({ body }) => csvHeaders(body),
  };
  return [JSON_FORM, ...others, csv];
}

/** The form that a client prefers; the default if it has no preference. @param accept the `Accept` header. */
export function chooseForm(forms: Forms, accept: string | undefined): Form {
  const [usual, ...others] = forms;
  const chosen = chooseRepresentation(accept, [usual.mediaType, ...others.map(({ mediaType }) => mediaType)]);
  return forms.find(({ mediaType }) => mediaType === chosen) ?? usual;
}
