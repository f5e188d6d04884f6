/** `/console/audit`: who did what, newest first. */
import * as z from 'zod';
import { AUDIT_ACTIONS, type AuditEntry, readAudit } from '../../access/audit.ts';
import { bigintIn, decodeCursor, encodeCursor } from '../../values/cursor.ts';
import { External } from '../external-text.tsx';
import { readFields } from '../forms/fields.ts';
import { ScrollTable } from '../layout.tsx';
import { feedPath } from './feeds/paths.ts';
import { Moment } from './moment.tsx';
import { invalidCursor, NextPage } from './next-page.tsx';
import type { ConsoleRoute } from './visit.ts';

const PATH = '/console/audit';
const PAGE = 50;

const Query = z.object({ action: z.enum(AUDIT_ACTIONS).optional(), after: z.string().optional() });

export const auditRoute: ConsoleRoute = {
  path: PATH,
  async show({ query, services: { database } }) {
    const { action, after } = readFields(query, Query);
    const list = `audit ${action ?? ''}`;
    const before = after === undefined ? undefined : placeOf(list, after);
    const { entries, next } = await readAudit(database, { action }, { first: PAGE, before });
    return {
      title: 'Audit',
      section: PATH,
      content: (
        <>
          <p class="lede">Every change by an operator, in the console and on the command line, newest first.</p>
          <ActionFilter action={action} />
          {entries.length === 0 ? <p>No entries.</p> : <AuditTable entries={entries} />}
          <NextPage
            path={PATH}
            query={{ action }}
            cursor={next === undefined ? undefined : encodeCursor(list, [String(next)])}
          />
        </>
      ),
    };
  },
};

function placeOf(list: string, cursor: string): bigint {
  const [id] = decodeCursor(list, cursor) ?? [];
  const before = bigintIn(id);
  if (before === undefined) throw invalidCursor();
  return before;
}

function ActionFilter({ action }: { action: string | undefined }) {
  return (
    <form class="filter" method="get" action={PATH}>
      <div class="field">
        <label for="action">Action</label>
        <select id="action" name="action">
          <option value="">All actions</option>
          {AUDIT_ACTIONS.map((each) => (
            <option key={each} value={each} selected={each === action}>
              {each}
            </option>
          ))}
        </select>
      </div>
      <button class="button quiet" type="submit">
        Show
      </button>
    </form>
  );
}

/** Entries as a table, also for the page of a key. */
export function AuditTable({ entries }: { entries: readonly AuditEntry[] }) {
  return (
    <ScrollTable label="Audit log" look="audit records" columns={['Time (UTC)', 'Action', 'Key', 'By', 'Change']}>
      {entries.map((entry, index) => (
        <tr key={index}>
          <td data-label="Time (UTC)">
            <Moment at={entry.at} />
          </td>
          <td data-label="Action">{entry.action}</td>
          <td data-label="Key">{entry.key !== undefined && <a href={`/console/keys/${entry.key}`}>{entry.key}</a>}</td>
          <td data-label="By">
            <span>
              <External>{entry.actor}</External> <span class="muted">({entry.role})</span>
            </span>
          </td>
          <td data-label="Change">
            <Change {...entry} />
          </td>
        </tr>
      ))}
    </ScrollTable>
  );
}

/** The values before and after, by name. */
function Change({ before = {}, after = {} }: Pick<AuditEntry, 'before' | 'after'>) {
  const former = new Map(Object.entries(before));
  const names = [...new Set([...former.keys(), ...Object.keys(after)])];
  const later = new Map(Object.entries(after));
  if (names.length === 0) return null;
  return (
    <div>
      {names.map((name) => (
        <div key={name}>
          {name}: {former.has(name) && <External>{wordsOf(former.get(name))}</External>}
          {former.has(name) && later.has(name) && ' → '}
          {later.has(name) &&
            (name === 'feed' ? (
              <a href={feedPath(wordsOf(later.get(name)))}>{wordsOf(later.get(name))}</a>
            ) : (
              <External>{wordsOf(later.get(name))}</External>
            ))}
        </div>
      ))}
    </div>
  );
}

function wordsOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? value.map(wordsOf).join(', ') || 'none' : JSON.stringify(value);
}
