/** `/console/audit`: who did what, newest first. */
import { listAudit } from '../../access/audit.ts';
import { ScrollTable } from '../layout.tsx';
import type { ConsoleRoute } from './visit.ts';

const PATH = '/console/audit';

export const auditRoute: ConsoleRoute = {
  path: PATH,
  async show({ services: { database } }) {
    const entries = (await listAudit(database)).reverse();
    return {
      title: 'Audit',
      section: PATH,
      content: (
        <ScrollTable label="Audit log" columns={['Time (UTC)', 'Action', 'Key', 'By']}>
          {entries.map(({ at, action, key, actor }) => (
            <tr key={at.toISOString()}>
              <td>{at.toISOString()}</td>
              <td>{action}</td>
              <td>{key}</td>
              <td>{actor}</td>
            </tr>
          ))}
        </ScrollTable>
      ),
    };
  },
};
