/** The forms that a row's answer may take: JSON always, CSV where it is a list, and what the row has besides. Which one a client gets is by its `Accept`. */
import { CSV_TYPE, csvHeaders, csvOf } from './csv.ts';
import { chooseRepresentation } from './representation.ts';
import type { ParameterValues, Route } from './route.ts';
import { tableOf } from './table.ts';

/** What a row's source gives. */
export interface Result {
  /** The body as JSON has it. */
  body: unknown;
  /** The root field's value, with the members that are for this service alone; none of what is not from GraphQL. */
  answer: Record<string, unknown>;
  /** The parameters. */
  values: ParameterValues;
  /** Links to what a client may want next: relation and path. */
  links: Record<string, string>;
}

/** How a result is written. */
export interface Form {
  mediaType: string;
  write(result: Result): string | Promise<string>;
  /** What the form has no place for in the body. */
  headersOf?(result: Result): Readonly<Record<string, string>>;
}

/** The forms of an answer, the usual one first. */
export type Forms = readonly [Form, ...Form[]];

const JSON_FORM: Form = { mediaType: 'application/json', write: ({ body }) => JSON.stringify(body) };

/** What a row can be answered in. */
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
    write: ({ body }) => csvOf(table, body),
    headersOf: ({ body }) => csvHeaders(body),
  };
  return [JSON_FORM, ...others, csv];
}

/** The form that a client likes best; the usual one when it says nothing of it. @param accept the `Accept` header. */
export function chooseForm(forms: Forms, accept: string | undefined): Form {
  const [usual, ...others] = forms;
  const chosen = chooseRepresentation(accept, [usual.mediaType, ...others.map(({ mediaType }) => mediaType)]);
  return forms.find(({ mediaType }) => mediaType === chosen) ?? usual;
}
