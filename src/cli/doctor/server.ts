/** Checks the server at the configured address, if one is running. */
import type { Config } from '../../config.ts';
import { addressOf } from '../../values/http-address.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

const PATIENCE_MS = 2_000;

/** Asks the server on the configured port whether it is ready. A missing server is not a problem. */
export async function examineListener({ host, port }: Config): Promise<Finding> {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  const address = addressOf(reachable, port);
  if (port === 0) return ok('server', 'PORT is 0: see its log for the actual port');
  const ask = (path: string) => fetch(address + path, { signal: AbortSignal.timeout(PATIENCE_MS), redirect: 'manual' });
  try {
    const health = await ask('/healthz');
    if (!health.ok || !(await health.text()).includes('"status"')) {
      return problem('server', `something else answers at ${address}`, 'Set PORT to a free port.');
    }
    const { status } = await ask('/readyz');
    if (status === 200) return ok('server', `ready at ${address}`);
    return problem('server', `running at ${address} but not ready (${status})`, 'Fix the database first: see above.');
  } catch (error) {
    if ((error as Error).name === 'TimeoutError') {
      const remedy = 'Check its log and its load. Restart it if it hangs.';
      return warning('server', `no response from ${address} within ${PATIENCE_MS} ms`, remedy);
    }
    return ok('server', `none running at ${address}`);
  }
}
