/**
 * A database whose reads go to its replicas, each only while it is level with what the process knows of the primary: nobody
 * above can tell from an answer who gave it.
 */
import { beginsToRead, type Connection, type Database, type QueryOptions } from './database.ts';
import { isOutOfTime, type Replica } from './replica.ts';

/** Who has answered a read. */
export type Home = 'primary' | 'replica';

export interface ReplicasOptions {
  /** The version of the catalogue that a read must see; `undefined` when it is not known, so that the primary alone will do. */
  leastVersion(): bigint | undefined;
  onRead?(home: Home): void;
}

/**
 * Composes a primary and its replicas. A single statement goes to the replica with the least under way among those that are
 * level, in turn among equals, and to the primary when none is or {@link QueryOptions.isCurrent} asks for it. What a replica
 * fails with, the primary has the last word on: reads may be repeated. Transactions and scripts are the primary's, and so are
 * the writes of Prisma Client. For reads of the catalogue alone: its version says nothing of keys and counts.
 */
export function readFromReplicas(
  primary: Database,
  replicas: readonly Replica[],
  { leastVersion, onRead }: ReplicasOptions,
): Database {
  let turn = 0;
  const choose = (): Replica | undefined => {
    const least = leastVersion();
    turn = (turn + 1) % replicas.length;
    let chosen: Replica | undefined;
    for (const replica of [...replicas.slice(turn), ...replicas.slice(0, turn)]) {
      if (least === undefined) replica.look();
      else if (replica.isFresh(least) && (!chosen || replica.inFlight < chosen.inFlight)) chosen = replica;
    }
    return chosen;
  };

  const read = async <Result>(
    { isCurrent, isWhole = () => true }: QueryOptions,
    run: (home: Connection) => Promise<Result>,
    rowsOf: (result: Result) => readonly unknown[],
  ): Promise<Result> => {
    const replica = isCurrent ? undefined : choose();
    if (replica) {
      try {
        const result = await replica.read(run);
        if (isWhole(rowsOf(result))) {
          onRead?.('replica');
          return result;
        }
      } catch (error) {
        if (isOutOfTime(error)) throw error;
      }
    }
    onRead?.('primary');
    return run(primary);
  };

  return {
    ...primary,
    description: `${primary.description} and ${replicas.length} replicas`,
    query: <Row>(sql: string, parameters?: readonly unknown[], options: QueryOptions = {}) =>
      read(
        options,
        (home) => home.query<Row>(sql, parameters, options),
        (rows) => rows,
      ),
    raw: (sql, parameters, options = {}) =>
      read(
        { ...options, isCurrent: options.isCurrent || !beginsToRead(sql) },
        (home) => home.raw(sql, parameters, options),
        ({ rows }) => rows,
      ),
    async close() {
      await Promise.all([primary.close(), ...replicas.map((replica) => replica.close())]);
    },
  };
}
