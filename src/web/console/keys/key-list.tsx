/** `/console/keys`: search keys by name, first characters or id, newest first. */
import { findKeys, LONGEST_KEY_QUERY, queryOf } from '../../../access/find-keys.ts';
import type { KeyRecord } from '../../../access/key-admin.ts';
import { hasEnded, stateOf } from '../../../access/key-terms.ts';
import { Problem } from '../../../problem.ts';
import { External } from '../../external-text.tsx';
import { ScrollTable } from '../../layout.tsx';
import { Moment } from '../moment.tsx';
import { invalidCursor, NextPage } from '../next-page.tsx';
import { SearchForm } from '../search-form.tsx';
import type { ConsoleRoute } from '../visit.ts';
import { KEYS_PATH, keyPath, NEW_KEY_PATH } from './paths.ts';

export const keyListRoute: ConsoleRoute = {
  path: KEYS_PATH,
  async show({ query, services: { database } }) {
    const text = query.get('query') ?? '';
    if ([...text].length > LONGEST_KEY_QUERY)
      throw new Problem('invalid_parameter', `Search for at most ${LONGEST_KEY_QUERY} characters.`);
    const page = await findKeys(database, text, query.get('after'));
    if (!page) throw invalidCursor();
    const { keys, next } = page;
    const searched = queryOf(text);
    return {
      title: 'Keys',
      section: KEYS_PATH,
      styles: ['console-pages.css'],
      content: (
        <>
          <SearchForm
            path={KEYS_PATH}
            query={searched}
            label="Name, first characters, or id of a key"
            maxLength={LONGEST_KEY_QUERY}
          >
            <a class="button quiet" href={NEW_KEY_PATH}>
              New key
            </a>
          </SearchForm>
          {keys.length === 0 ? (
            <p class="notice">
              {searched === '' ? 'There are no keys yet.' : 'No key has this name, these first characters, or this id.'}
            </p>
          ) : (
            <ScrollTable
              label="Keys"
              look="records"
              columns={['Name', 'Id', 'Plan', 'Starts with', 'State', 'Created (UTC)']}
            >
              {keys.map((key) => (
                <KeyRow key={key.id} record={key} />
              ))}
            </ScrollTable>
          )}
          <NextPage path={KEYS_PATH} query={{ query: searched || undefined }} cursor={next} />
        </>
      ),
    };
  },
};

function KeyRow({ record }: { record: KeyRecord }) {
  const { id, name, plan, prefixes, createdAt } = record;
  return (
    <tr>
      <th scope="row">
        <a href={keyPath(id)}>
          <External>{name}</External>
        </a>
      </th>
      <td data-label="Id">{id}</td>
      <td data-label="Plan">{plan}</td>
      <td data-label="Starts with">
        <code>{prefixes.join(' ')}</code>
      </td>
      <td data-label="State">
        <KeyState record={record} />
      </td>
      <td data-label="Created">
        <Moment at={createdAt} />
      </td>
    </tr>
  );
}

/** Whether a key works, as a badge. */
export function KeyState({ record }: { record: KeyRecord }) {
  const look = record.revokedAt || hasEnded(record.expiresAt) ? 'bad' : 'good';
  return <span class={`badge ${look}`}>{stateOf(record)}</span>;
}
