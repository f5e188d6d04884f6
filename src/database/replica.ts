/**
 * A streaming replica of the database. It is monitored while there are requests, and excluded while it does not answer, is not a copy
 * of this database with this version's migrations, or lags behind the catalogue's version.
 */
import { counted } from '../values/counted.ts';
import {
  type Connection,
  type Database,
  DatabaseUnavailable,
  isUnavailable,
  type Queryable,
  sqlStateOf,
} from './database.ts';
import { readDeployment } from './deployment.ts';
import { pendingMigrations } from './migrate.ts';

export interface ReplicaOptions {
  /** Opens the replica: once for reads, and once with a single connection for monitoring. Both are reopened after it has hung. */
  open(poolSize?: number): Database;
  /** The name of the deployment that it must belong to. */
  deployment: string;
  /** Reads the catalogue's version. */
  readVersion(database: Queryable): Promise<bigint>;
  /** Called after each check: whether the replica is a copy with this version's migrations that answers, and how long it has lagged. */
  onLook?(state: { description: string; isUp: boolean; lagMs: number }): void;
  /** Called when the replica is excluded, with the reason, and when it is back. Short lags after each change are not reported. */
  onChange?(isBack: boolean, description: string, reason?: string): void;
}

export type Replica = ReturnType<typeof openReplica>;

const LOOK_EVERY_MS = 250;
// A replica catches up within milliseconds after a change, and the primary should not get all reads for longer than that.
const LOOK_AT_LAG_EVERY_MS = 25;
// A replica whose last successful check is older than this gets no reads until the next one.
const TRUSTED_MS = 1_000;
const PATIENCE_MS = 1_000;
// The first check also makes a connection and runs more queries.
const FIRST_PATIENCE_MS = 5_000;
const TOLD_LAG_MS = 1_000;

/** Opens a replica. The first read starts its monitoring; it gets no reads until its first check has succeeded. */
export function openReplica({ open, deployment, readVersion, onLook, onChange }: ReplicaOptions) {
  let reads = open();
  let watch = open(1);
  const { description } = reads;
  const underWay = new Set<(error: Error) => void>();
  let version: bigint | undefined;
  let isExamined = false;
  let seenAt = Number.NEGATIVE_INFINITY;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let looking: Promise<void> | undefined;
  let behindSince: number | undefined;
  let toldReason: string | undefined;
  let isClosed = false;

  const lagMs = () => (behindSince === undefined ? 0 : performance.now() - behindSince);
  const tell = (reason: string | undefined) => {
    onLook?.({ description, isUp: version !== undefined, lagMs: lagMs() });
    if (reason === toldReason || isClosed) return;
    const wasLeftOut = toldReason !== undefined;
    toldReason = reason;
    if (reason === undefined) onChange?.(true, description);
    else if (!wasLeftOut) onChange?.(false, description, reason);
  };
  const examine = async () => {
    if ((await readDeployment(watch)) !== deployment) throw new Error('It is a copy of another database');
    const missing = await pendingMigrations(watch);
    if (missing.length > 0) throw new Error(`It still lacks ${counted(missing.length, 'migration')}`);
  };
  /** Drops all connections: hanging ones would occupy the pool for hours. */
  const openAnew = () => {
    for (const old of [reads, watch]) void old.close().catch(() => {});
    reads = open();
    watch = open(1);
  };
  const leaveOut = (error: Error) => {
    version = undefined;
    isExamined = false;
    behindSince = undefined;
    for (const reject of [...underWay]) reject(new DatabaseUnavailable(error.message, { cause: error }));
    if (error instanceof Hangs && !isClosed) openAnew();
    tell(error.message);
  };
  const lookNow = async () => {
    lookedAt = performance.now();
    try {
      const isFirst = !isExamined;
      const asking = (isFirst ? examine() : Promise.resolve()).then(() => readVersion(watch));
      version = await within(isFirst ? FIRST_PATIENCE_MS : PATIENCE_MS, asking);
      isExamined = true;
      seenAt = performance.now();
      if (toldReason !== BEHIND) tell(undefined);
    } catch (error) {
      leaveOut(error as Error);
    }
  };
  const lookAfter = (ms: number) => {
    if (looking || isClosed || performance.now() - lookedAt < ms) return;
    looking = lookNow().finally(() => {
      looking = undefined;
    });
  };
  // All clients may be waiting for a hanging replica, so that none triggers a check. So checks continue while reads are in progress.
  let timer: NodeJS.Timeout | undefined;
  const lookOn = () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      if (underWay.size === 0) return;
      lookAfter(LOOK_EVERY_MS);
      lookOn();
    }, LOOK_EVERY_MS).unref();
  };

  return {
    description,
    /** The number of statements in progress. */
    get inFlight() {
      return underWay.size;
    },
    /** Triggers a check if one is due. */
    look: () => lookAfter(LOOK_EVERY_MS),
    /** Whether it can serve a read that must see this version of the catalogue. Triggers a check if one is due. */
    isFresh(least: bigint) {
      const isBehind = version !== undefined && version < least;
      lookAfter(isBehind ? LOOK_AT_LAG_EVERY_MS : LOOK_EVERY_MS);
      if (isBehind) {
        behindSince ??= performance.now();
        if (lagMs() > TOLD_LAG_MS) tell(BEHIND);
        return false;
      }
      if (version === undefined) return false;
      if (behindSince !== undefined) {
        behindSince = undefined;
        tell(undefined);
      }
      return performance.now() - seenAt < TRUSTED_MS;
    },
    /** Runs a read. Reads in progress are rejected with {@link DatabaseUnavailable} when the replica is found to hang. */
    read: <Result>(run: (replica: Connection) => Promise<Result>) =>
      new Promise<Result>((resolve, reject) => {
        const end = (error: Error) => {
          underWay.delete(end);
          reject(error);
        };
        underWay.add(end);
        lookOn();
        run(reads).then(
          (result) => {
            underWay.delete(end);
            resolve(result);
          },
          (error: Error) => {
            // Either one connection or all may have failed: the replica gets no reads until the next check shows which.
            if (isUnavailable(error) && !isOutOfTime(error)) {
              seenAt = Number.NEGATIVE_INFINITY;
              lookAfter(0);
            }
            end(error);
          },
        );
      }),
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await Promise.all([reads.close(), watch.close()]);
    },
  };
}

const BEHIND = 'It lags behind';

class Hangs extends Error {
  override name = 'Hangs';
}

/** @throws {Hangs} if `work` has not settled within `ms`. */
async function within<Result>(ms: number, work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  let isDone = false;
  const end = () => {
    isDone = true;
  };
  work.then(end, end);
  const overdue = new Promise<never>((_resolve, reject) => {
    // If this process itself was blocked, the answer may have arrived but not been read yet.
    const fire = () => setImmediate(() => setImmediate(() => isDone || reject(new Hangs(`No answer within ${ms} ms`))));
    timer = setTimeout(fire, ms);
    timer.unref();
  });
  try {
    return await Promise.race([work, overdue]);
  } finally {
    clearTimeout(timer);
  }
}

/** Whether a statement exceeded its time limit, as it would on the primary too (57014, PostgreSQL, Appendix A). */
export const isOutOfTime = (error: unknown): boolean => sqlStateOf(error) === '57014';
