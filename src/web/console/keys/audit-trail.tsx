/** What was done to a key, newest first. */
import type { AuditEntry } from '../../../access/audit.ts';
import { External } from '../../external-text.tsx';
import { ScrollTable } from '../../layout.tsx';

/** The most entries that are shown; `/console/audit` has more. */
const MOST_SHOWN = 50;

export function AuditTrail({ entries }: { entries: readonly AuditEntry[] }) {
  return (
    <section id="audit">
      <h2>Audit trail</h2>
      <ScrollTable label="Audit trail" columns={['Time (UTC)', 'Action', 'By', 'Before', 'After']}>
        {entries.slice(0, MOST_SHOWN).map(({ at, action, actor, role, before, after }, index) => (
          <tr key={index}>
            <td class="date">{at.toISOString()}</td>
            <td>{action}</td>
            <td>
              <External>{actor}</External> <span class="muted">({role})</span>
            </td>
            <td>
              <Values values={before} />
            </td>
            <td>
              <Values values={after} />
            </td>
          </tr>
        ))}
      </ScrollTable>
      {entries.length > MOST_SHOWN && (
        <p class="muted">
          These are the newest {MOST_SHOWN} of {entries.length} entries.
        </p>
      )}
    </section>
  );
}

function Values({ values = {} }: { values: object | undefined }) {
  const pairs = Object.entries(values);
  if (pairs.length === 0) return null;
  return (
    <ul class="plain">
      {pairs.map(([name, value]) => (
        <li key={name}>
          {name}: <External>{value === null ? 'none' : String(value)}</External>
        </li>
      ))}
    </ul>
  );
}
