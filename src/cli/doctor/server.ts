/** The server at the configured address, where one runs. */
import type { Config } from '../../config.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

const PATIENCE_MS = 2_000;

/** Asks the configured port whether it is ready. That none runs is no fault. */
export async function examineListener({ host, port }: Config): Promise<Finding> {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  const address = `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
  if (port === 0) return ok('server', 'PORT is 0: where it listens is only in its log');
  const ask = (path: string) => fetch(address + path, { signal: AbortSignal.timeout(PATIENCE_MS), redirect: 'manual' });
  try {
    const health = await ask('/healthz');
    if (!health.ok || !(await health.text()).includes('"status"')) {
      return problem('server', `something else answers at ${address}`, 'Set PORT to a port that is free.');
    }
    const { status } = await ask('/readyz');
    if (status === 200) return ok('server', `ready at ${address}`);
    return problem('server', `runs at ${address} and is not ready (${status})`, 'Mend the database first: see above.');
  } catch (error) {
    if ((error as Error).name === 'TimeoutError') {
      return warning(
        'server',
        `no answer from ${address} in time`,
        'Look at its log and its load; restart it if it hangs.',
      );
    }
    return ok('server', `none at ${address}`);
  }
}
