/** `/console/keys/{id}`: the terms of a key, its usage by day and its audit trail; and the forms that change, rotate and revoke it. */
import { readAudit } from '../../../access/audit.ts';
import {
  type KeyRecord,
  type KeyUsage,
  numberOf,
  revokeKey,
  rotateKey,
  showKey,
  usageOf,
} from '../../../access/key-admin.ts';
import { setTerms } from '../../../access/key-limits.ts';
import { hasEnded, lastDayOf, parseGraceHours } from '../../../access/key-terms.ts';
import { planOf } from '../../../access/plans.ts';
import { doOnce, nameForm } from '../../../console/used-forms.ts';
import { Problem } from '../../../problem.ts';
import { printable } from '../../../values/printable.ts';
import { External } from '../../external-text.tsx';
import type { Shown } from '../../forms/field.tsx';
import type { Fields } from '../../forms/fields.ts';
import { AuditTable } from '../audit.tsx';
import { Notice } from '../layout.tsx';
import { Moment } from '../moment.tsx';
import type { ConsolePage, ConsoleRoute, Visit } from '../visit.ts';
import { formNameOf, issuedPage, usedPage } from './issued-page.tsx';
import { KeyForms } from './key-forms.tsx';
import { KeyState } from './key-list.tsx';
import { KEYS_PATH, keyPath } from './paths.ts';
import { type Errors, readTerms } from './terms-form.tsx';
import { monthOfQuery, Usage } from './usage.tsx';

const PATH = `${KEYS_PATH}/{id}`;

/** Shows the key, and changes its plan and limits. */
export const keyRoute: ConsoleRoute = {
  path: PATH,
  async show(visit) {
    const key = await showKey(visit.services.database, idOf(visit));
    return keyPage(visit, key, { done: DONE[visit.query.get('done') ?? ''] });
  },
  async act(visit) {
    const { form, session, services } = visit;
    const key = await showKey(services.database, idOf(visit));
    const errors: Errors = new Map();
    const terms = readTerms(form, errors, key.expiresAt);
    if (errors.size > 0) return keyPage(visit, key, { terms: { values: form, errors }, failed: CORRECT });
    if (form.get('former') !== formerOf(key)) {
      return { ...(await keyPage(visit, key, { terms: { values: form }, failed: CHANGED })), status: 409 };
    }
    await setTerms(services.database, key.id, terms, { actor: session.actor });
    return `${keyPath(key.id)}?done=terms`;
  },
};

/** Rotates the key. The new text is in the answer. */
export const rotateRoute: ConsoleRoute = {
  path: `${PATH}/rotate`,
  async act(visit) {
    const { form, session, services } = visit;
    const { database } = services;
    const key = await showKey(database, idOf(visit));
    const formName = formNameOf(form);
    const hours = parseGraceHours(form.get('graceHours')?.trim() ?? '');
    if (!hours.ok) {
      const errors = new Map([['graceHours', `The time ${hours.detail}`]]);
      return keyPage(visit, key, { rotation: { values: form, errors }, failed: CORRECT });
    }
    const grace = hours.value;
    try {
      const issued = await doOnce(
        database,
        formName,
        () => rotateKey(database, key.id, grace, { actor: session.actor }),
        ({ id }) => id,
      );
      const former = grace === 0 ? 'The former ones have stopped working.' : `The former ones work for ${grace} hours.`;
      return issuedPage(issued, 'Rotated key', `The key has a new text. ${former}`);
    } catch (error) {
      return usedPage(error);
    }
  },
};

/** Revokes the key. */
export const revokeRoute: ConsoleRoute = {
  path: `${PATH}/revoke`,
  async act(visit) {
    const { form, session, services } = visit;
    const key = await showKey(services.database, idOf(visit));
    if (form.get('sure') !== 'yes') {
      const errors = new Map([['sure', 'Tick this box, because a revoked key cannot be restored.']]);
      return keyPage(visit, key, { revocation: { values: form, errors }, failed: 'The key was not revoked.' });
    }
    await revokeKey(services.database, key.id, { actor: session.actor });
    return `${keyPath(key.id)}?done=revoked`;
  },
};

const CORRECT = 'Nothing was changed: correct the marked fields.';
const CHANGED =
  'Nothing was changed, because somebody else has changed this key meanwhile. Compare the values, then save them again.';
const DONE: Readonly<Record<string, string>> = {
  terms: 'The plan and the limits were saved. They apply everywhere within five seconds.',
  revoked: 'The key was revoked. It stops working everywhere within five seconds.',
};

const idOf = ({ values: { id = '' } }: Visit): string => printable(id);

/** The terms that a form was filled in with, by which a change by somebody else is noticed. */
const formerOf = ({ plan, rateLimit, monthlyQuota, expiresAt }: KeyRecord): string =>
  JSON.stringify([plan, rateLimit ?? null, monthlyQuota ?? null, expiresAt?.getTime() ?? null]);

interface Sent {
  values: Fields;
  errors?: Errors;
}

interface Outcome {
  /** What was done. */
  done?: string | undefined;
  /** Why nothing was done, with the forms as they were sent. */
  failed?: string;
  terms?: Sent;
  rotation?: Sent;
  revocation?: Sent;
}

async function keyPage(visit: Visit, key: KeyRecord, outcome: Outcome = {}): Promise<ConsolePage> {
  const { token, query, services } = visit;
  const { database } = services;
  const month = monthOfQuery(query);
  if (month === undefined) throw new Problem('invalid_parameter', 'The month must have the form 2030-01.');
  const [usages, trail] = await Promise.all([
    usageOf(database, { keyId: key.id, month }),
    readAudit(database, { keyId: numberOf(key.id) }, { first: MOST_AUDITED }),
  ]);
  const { done, failed, terms, rotation, revocation } = outcome;
  const shown = (form: string, sent: Sent | undefined, values: Fields): Shown => ({ form, ...(sent ?? { values }) });
  return {
    title: `Key ${key.id}`,
    section: KEYS_PATH,
    styles: ['console-pages.css'],
    ...(failed !== undefined && { status: 400 }),
    content: (
      <>
        {done !== undefined && <Notice>{done}</Notice>}
        {failed !== undefined && <Notice look="bad">{failed}</Notice>}
        <KeyFacts record={key} usage={usages[0]} />
        <Usage id={key.id} usage={usages[0]} />
        {!key.revokedAt && (
          <KeyForms
            path={keyPath(key.id)}
            token={token}
            form={nameForm()}
            former={formerOf(key)}
            hasEnded={hasEnded(key.expiresAt)}
            terms={shown('terms', terms, valuesOf(key))}
            rotation={shown('rotation', rotation, new Map([['graceHours', '24']]))}
            revocation={shown('revocation', revocation, new Map())}
          />
        )}
        <section>
          <h2>Audit trail</h2>
          <AuditTable entries={trail.entries} />
          {trail.next !== undefined && (
            <p class="muted">
              These are the newest {MOST_AUDITED} entries; <code>pda audit --key {key.id}</code> lists more.
            </p>
          )}
        </section>
      </>
    ),
  };
}

/** The most entries of the audit log on the page. */
const MOST_AUDITED = 50;

const valuesOf = ({ plan, rateLimit, monthlyQuota, expiresAt }: KeyRecord): Fields =>
  new Map([
    ['plan', plan],
    ['rateLimit', String(rateLimit ?? '')],
    ['monthlyQuota', String(monthlyQuota ?? '')],
    ['lastDay', expiresAt ? lastDayOf(expiresAt) : ''],
  ]);

function KeyFacts({ record, usage }: { record: KeyRecord; usage: KeyUsage | undefined }) {
  const { name, plan, prefixes, rateLimit, monthlyQuota, createdAt } = record;
  return (
    <dl class="facts">
      <div>
        <dt>Name</dt>
        <dd>
          <External>{name}</External>
        </dd>
      </div>
      <div>
        <dt>State</dt>
        <dd>
          <KeyState record={record} />
        </dd>
      </div>
      <div>
        <dt>Starts with</dt>
        <dd>
          <code>{prefixes.join(' ') || 'no working text'}</code>
        </dd>
      </div>
      <div>
        <dt>Plan</dt>
        <dd>{planOf(plan).name}</dd>
      </div>
      <div>
        <dt>Requests a minute</dt>
        <dd>{rateLimit === undefined ? 'as in the plan' : `${amount(rateLimit)}, its own limit`}</dd>
      </div>
      <div>
        <dt>Requests a month</dt>
        <dd>
          {usage && (usage.quota === 0 ? 'unlimited' : amount(usage.quota))}
          {monthlyQuota === undefined ? '' : ', its own quota'}
        </dd>
      </div>
      <div>
        <dt>Created</dt>
        <dd>
          <Moment at={createdAt} /> UTC
        </dd>
      </div>
    </dl>
  );
}

const amount = (figure: number) => figure.toLocaleString('en');
