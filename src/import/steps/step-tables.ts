/**
 * The temporary tables of all steps of an import. Each step would otherwise create and drop them, and plan each of its statements anew, which
 * takes longer than the rest. For the plans' sake their rows are deleted; only now and then the tables are cut.
 */
import type { Queryable } from '../../database/database.ts';
import { CREATE_BARRED } from '../barred.ts';
import { CREATE_TOUCHED } from '../figures.ts';
import { CREATE_MATCHED } from '../match-catalogue.ts';
import { CREATE_MOVED } from '../move-offers.ts';
import { CREATE_PLANNED } from '../plan-writes.ts';
import { CREATE_NOTED } from '../stream.ts';
import { CREATE_ADDED } from '../write-offers.ts';
import { CREATE_FILLED } from '../write-products.ts';

/** The table for the rows of one step, with the columns of the staging table. */
export const STEP_ROWS = 'step_rows';

const TABLES = [
  STEP_ROWS,
  ...[
    'matched',
    'learned',
    'barred',
    'voided',
    'moved',
    'differing',
    'gone',
    'newer',
    'past',
    'first_entry',
    'filled',
    'touched',
  ],
  ...['noted_offer', 'noted_product'],
].map((name) => `pg_temp.${name}`);

// A table without statistics is planned as one of a thousand rows, for which the whole catalogue would be read in each step.
const KNOW_EMPTY = `ANALYZE ${TABLES.join(', ')}`;

/** Drops the tables that a killed import has left in the session. */
export const DROP_STEP_TABLES = `DROP TABLE IF EXISTS ${TABLES.join(', ')}`;

const createAll = (table: string) =>
  [
    `CREATE TEMPORARY TABLE ${STEP_ROWS} (LIKE ${table}) ON COMMIT DROP`,
    ...[
      CREATE_MATCHED,
      CREATE_BARRED,
      CREATE_MOVED,
      CREATE_PLANNED,
      CREATE_ADDED,
      CREATE_FILLED,
      CREATE_TOUCHED,
      CREATE_NOTED,
    ],
  ]
    .join(';')
    .replaceAll('ON COMMIT DROP', '');

/** Creates the tables, and drops those that a killed import has left in the session. @param table the staging table. */
export async function createStepTables(database: Queryable, table: string): Promise<void> {
  await database.script(`${DROP_STEP_TABLES}; ${createAll(table)}; ${KNOW_EMPTY}`);
}

export const dropStepTables = (database: Queryable): Promise<void> => database.script(DROP_STEP_TABLES);

const STEPS_A_CUT = 50;

/** Empties the tables at the end of a step. @param step counts the steps. @param isLarge whether it had far more rows than usual. */
export const emptyStepTables = (transaction: Queryable, step: number, isLarge: boolean): Promise<void> =>
  transaction.script(isLarge || step % STEPS_A_CUT === 0 ? CUT : DELETE);

const CUT = `TRUNCATE ${TABLES.join(', ')}; ${KNOW_EMPTY}`;
const DELETE = TABLES.map((table) => `DELETE FROM ${table}`).join(';');

/** Copies rows from the staging table to that of the step. By its primary key. */
export async function fillStep(transaction: Queryable, table: string, rows: readonly number[]): Promise<void> {
  await transaction.query(`INSERT INTO ${STEP_ROWS} SELECT * FROM ${table} WHERE position = ANY ($1::int[])`, [rows]);
}
