/** Forms that make something, such as a key, make it once: also if they are sent twice, at once, or to two gateways. */
import { randomUUID } from 'node:crypto';
import type { Database } from '../database/database.ts';
import { prismaOf } from '../database/prisma-of.ts';
import { DAY_MS } from '../values/day.ts';

/** The form has been sent before. */
export class FormUsed extends Error {
  override name = 'FormUsed';
  /** What it made then; absent if that has not been finished, or the process was ended meanwhile. */
  readonly made: string | undefined;

  constructor(made: string | undefined) {
    super('This form has been sent before.');
    this.made = made;
  }
}

// A form that is open for longer is sent after its session has ended.
const REMEMBERED_DAYS = 2;

/** The name of a new form. */
export const nameForm = (): string => randomUUID();

/** Whether a text has the form of a name. */
export const isFormName = (text: string): boolean =>
  /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/.test(text);

/**
 * Does the work of a form, unless it has been sent before. A form whose work fails can be sent again.
 * @param made what to remember of the result.
 * @throws {FormUsed}
 */
export async function doOnce<Result>(
  database: Database,
  form: string,
  work: () => Promise<Result>,
  made: (result: Result) => string,
): Promise<Result> {
  const { consoleForm } = await prismaOf(database);
  const { count } = await consoleForm.createMany({ data: { id: form }, skipDuplicates: true });
  if (count === 0) {
    const used = await consoleForm.findUnique({ where: { id: form } });
    throw new FormUsed(used?.made ?? undefined);
  }
  let result: Result;
  try {
    result = await work();
  } catch (error) {
    await consoleForm.deleteMany({ where: { id: form } });
    throw error;
  }
  await consoleForm.updateMany({ where: { id: form }, data: { made: made(result) } });
  await consoleForm.deleteMany({ where: { usedAt: { lt: new Date(Date.now() - REMEMBERED_DAYS * DAY_MS) } } });
  return result;
}
