/** Sends reads of the catalogue to replicas, so that their answers do not differ from the primary's. */
import { beginsToRead, type Connection, type Database, type QueryOptions } from './database.ts';
import { isOutOfTime, type Replica } from './replica.ts';

/** The server that answered a read. */
export type Home = 'primary' | 'replica';

interface ReplicasOptions {
  /** The version of the catalogue that a read must see; `undefined` if unknown, so that only the primary may answer. */
  leastVersion(): bigint | undefined;
  onRead?(home: Home): void;
}

/**
 * Composes a primary and its replicas. A single statement goes to the up-to-date replica with the fewest statements in progress, in
 * turn among equals; to the primary if none is up to date, if the replica fails, or if {@link QueryOptions.isCurrent} is set.
 * Transactions, scripts and writes go to the primary. Use this only for the catalogue: its version does not cover keys and counts.
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
