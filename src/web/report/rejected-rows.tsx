/** The rejected rows of a run by reason: how many, how to fix them, and the first of them. */
import type { ReportedReason } from '../../feeds/feed-report.ts';
import { numbers, ScrollTable } from '../layout.tsx';
import { count, share } from './words.ts';

export function RejectedRows({ reasons, read }: { reasons: readonly ReportedReason[]; read: number }) {
  if (reasons.length === 0) return <p class="notice">No row was rejected.</p>;
  return (
    <ul class="reasons">
      {reasons.map((reason) => (
        <Reason key={reason.reason} reason={reason} read={read} />
      ))}
    </ul>
  );
}

function Reason({ reason: { reason, rows, meaning, fix, examples }, read }: { reason: ReportedReason; read: number }) {
  return (
    <li class="card">
      <h3>
        <code>{reason}</code>
        <span class="badge bad">
          {count(rows)} {rows === 1 ? 'row' : 'rows'}, {share(rows, read)}
        </span>
      </h3>
      {meaning !== null && <p>{meaning}</p>}
      {fix !== null && (
        <p class="fix">
          <strong>How to fix it:</strong> {fix}
        </p>
      )}
      {examples.length > 0 && (
        <details>
          <summary>
            {rows === 1
              ? 'Show the row'
              : `Show ${examples.length < rows ? 'the first' : 'the'} ${examples.length} rows`}
          </summary>
          <ScrollTable label={`Rows rejected for ${reason}`} columns={[numbers('Line'), 'Id', 'What is wrong']}>
            {examples.map(({ line, id, detail }, index) => (
              <tr key={`${line} ${index}`}>
                <td class="number">{count(line)}</td>
                <td class="id">{id === undefined ? <span class="muted">none</span> : <bdi>{id}</bdi>}</td>
                <td class="detail">
                  <bdi>{detail}</bdi>
                </td>
              </tr>
            ))}
          </ScrollTable>
        </details>
      )}
    </li>
  );
}
