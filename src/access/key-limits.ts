/** Changes a key's plan and its own limits; in force everywhere within five seconds. */
import type { Database } from '../database/database.ts';
import { prismaOf } from '../database/prisma-of.ts';
import { addAuditEvent } from './audit.ts';
import { type By, checkPlan, type KeyRecord, numberOf, showKey } from './key-admin.ts';
import type { PlanId } from './plans.ts';

/** What to change: members that are absent stay as they are. `null` takes a limit of the key away, so that its plan's applies. */
export interface KeyTerms {
  plan?: PlanId | undefined;
  /** Requests a minute. */
  rateLimit?: number | null | undefined;
  /** Requests a month; 0 is unlimited. */
  monthlyQuota?: number | null | undefined;
  /** `null`: the key does not expire. */
  expiresAt?: Date | null | undefined;
}

/** Moves a key to another plan. @throws {KeyNotFound} @throws {KeyRefused} when there is no such plan. */
export const setPlan = (database: Database, id: string, plan: PlanId, by?: By): Promise<KeyRecord> =>
  setTerms(database, id, { plan }, by);

/** Changes a key's plan and limits together. What is equal already is not recorded. @throws {KeyNotFound} @throws {KeyRefused} */
export async function setTerms(
  database: Database,
  id: string,
  terms: KeyTerms,
  { actor }: By = {},
): Promise<KeyRecord> {
  const keyId = numberOf(id);
  if (terms.plan !== undefined) checkPlan(terms.plan);
  const record = await showKey(database, id);
  const { plan } = record;
  const [rateLimit, monthlyQuota] = [record.rateLimit ?? null, record.monthlyQuota ?? null];
  const expiresAt = record.expiresAt ?? null;
  const former = { rateLimit, monthlyQuota, expiresAt };
  const limits = {
    ...(terms.rateLimit !== undefined && terms.rateLimit !== rateLimit && { rateLimit: terms.rateLimit }),
    ...(terms.monthlyQuota !== undefined &&
      terms.monthlyQuota !== monthlyQuota && { monthlyQuota: terms.monthlyQuota }),
    ...(terms.expiresAt !== undefined &&
      terms.expiresAt?.getTime() !== expiresAt?.getTime() && { expiresAt: terms.expiresAt }),
  };
  const changed = Object.keys(limits) as (keyof typeof former)[];
  const newPlan = terms.plan === plan ? undefined : terms.plan;
  if (newPlan === undefined && changed.length === 0) return record;

  const prisma = await prismaOf(database);
  const isSet = await prisma.$transaction(async (transaction) => {
    const { count } = await transaction.apiKey.updateMany({
      where: { id: keyId, plan, ...former },
      data: { ...limits, ...(newPlan !== undefined && { plan: newPlan }) },
    });
    if (count === 0) return false;
    if (newPlan !== undefined) {
      const change = { before: { plan }, after: { plan: newPlan } };
      await addAuditEvent(transaction, { action: 'key.set-plan', keyId, actor, ...change });
    }
    if (changed.length > 0) {
      const before = Object.fromEntries(changed.map((name) => [name, former[name]]));
      await addAuditEvent(transaction, { action: 'key.set-limits', keyId, actor, before, after: limits });
    }
    return true;
  });
  // After a concurrent change, start again, so that the audit log shows the terms that this change replaces.
  return isSet ? showKey(database, id) : setTerms(database, id, terms, { actor });
}
