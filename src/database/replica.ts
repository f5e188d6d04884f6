/**
 * One streaming replica of the database: watched while there are requests, and left out while it does not answer, is not what it
 * should be, or lags behind the catalogue's version.
 */
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

/** What is told of a replica. */
export interface ReplicaState {
  /** Where it is, without a password. */
  description: string;
  /** Whether it answers, and is a copy of this database with this version's migrations. */
  isUp: boolean;
  /** For how long it has been behind the catalogue's version; 0 when it is level. */
  lagMs: number;
}

export interface ReplicaOptions {
  /** Opens it: once for what requests read, once with a single connection for the watch; both anew after it has hung. */
  open(poolSize?: number): Database;
  /** The name of the deployment that it must be a replica of. */
  deployment: string;
  /** The catalogue's version in a database. */
  readVersion(database: Queryable): Promise<bigint>;
  /** Told of the state after each look. */
  onLook?(state: ReplicaState): void;
  /** Told when it is left out, why, and when it is back: not of the moments by which every replica lags after a change. */
  onChange?(isBack: boolean, description: string, reason?: string): void;
}

export interface Replica {
  readonly description: string;
  /** Statements that it has not answered yet. */
  readonly inFlight: number;
  /** Whether a read may go to it that must see this version of the catalogue. Keeps the watch going. */
  isFresh(least: bigint): boolean;
  /** Keeps the watch going. */
  look(): void;
  /** Runs a read on it; what it has not answered when it is found to hang is rejected with {@link DatabaseUnavailable}. */
  read<Result>(run: (replica: Connection) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

const LOOK_EVERY_MS = 250;
// After a change a replica is level within milliseconds: the primary should not have all reads for longer.
const LOOK_AT_LAG_EVERY_MS = 25;
// What has not been seen to live for this long gets no reads before it is looked at again.
const TRUSTED_MS = 1_000;
const PATIENCE_MS = 1_000;
// The first look makes a connection and asks more.
const FIRST_PATIENCE_MS = 5_000;
const TOLD_LAG_MS = 1_000;

/** Begins to watch a replica with the first read; until its first answer it gets none. */
export function openReplica({ open, deployment, readVersion, onLook, onChange }: ReplicaOptions): Replica {
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
    if (missing.length > 0) throw new Error(`It has not got ${missing.length} migrations yet`);
  };
  /** Lets go of all connections: those that hang would be counted among the pool's for hours. */
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
  // Who waits for a replica that hangs may be all who would have asked: as long as somebody waits, it is looked at.
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
    get inFlight() {
      return underWay.size;
    },
    look: () => lookAfter(LOOK_EVERY_MS),
    isFresh(least) {
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
    read: (run) =>
      new Promise((resolve, reject) => {
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
            // One connection may have broken, or all: the next look tells, and until then it gets nothing.
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

/** @throws {Hangs} when `work` has not settled by then. */
async function within<Result>(ms: number, work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  let isDone = false;
  const end = () => {
    isDone = true;
  };
  work.then(end, end);
  const overdue = new Promise<never>((_resolve, reject) => {
    // Where this process itself has stood still, the answer has come and only waits to be read.
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

/** Whether a statement took longer than statements may: it would on the primary, too (57014, PostgreSQL, Appendix A). */
export function isOutOfTime(error: unknown): boolean {
  return sqlStateOf(error) === '57014';
}
