/** The fields for the terms of a key, in the forms that create it and that change it. */
import type { KeyTerms } from '../../../access/key-limits.ts';
import { lastDayOf, parseLastDay, parseMonthlyQuota, parseRateLimit, type Typed } from '../../../access/key-terms.ts';
import { PLANS, type Plan, type PlanId } from '../../../access/plans.ts';
import { InputField, SelectField, type Shown } from '../../forms/field.tsx';
import type { Fields } from '../../forms/fields.ts';

/** What is wrong in a form, by the name of the field. */
export type Errors = Map<string, string>;

/** The terms that a form sends; those with an error are absent. */
export interface ReadTerms extends KeyTerms {
  plan?: PlanId;
}

const NAMES = { rateLimit: 'The rate limit', monthlyQuota: 'The quota', lastDay: 'The last day' } as const;

/** Reads the terms of a form. An empty limit is `null`: that of the plan applies. @param expiresAt the present one, which may be over. */
export function readTerms(form: Fields, errors: Errors, expiresAt?: Date): ReadTerms {
  const read = <Value,>(name: keyof typeof NAMES, parse: (text: string) => Typed<Value>): Value | null | undefined => {
    const text = form.get(name)?.trim() ?? '';
    if (text === '') return null;
    const typed = parse(text);
    if (typed.ok) return typed.value;
    errors.set(name, `${NAMES[name]} ${typed.detail}`);
    return undefined;
  };
  const plan = PLANS.find(({ id }) => id === form.get('plan'))?.id;
  if (plan === undefined) errors.set('plan', 'Choose a plan.');
  const isUnchanged = expiresAt !== undefined && form.get('lastDay') === lastDayOf(expiresAt);
  return {
    ...(plan !== undefined && { plan }),
    rateLimit: read('rateLimit', parseRateLimit),
    monthlyQuota: read('monthlyQuota', parseMonthlyQuota),
    expiresAt: isUnchanged ? expiresAt : read('lastDay', parseLastDay),
  };
}

/** The fields that {@link readTerms} reads. */
export function TermsFields({ shown }: { shown: Shown }) {
  return (
    <>
      <SelectField shown={shown} name="plan" label="Plan" options={PLANS.map(optionOf)} />
      <InputField
        shown={shown}
        name="rateLimit"
        label="Requests a minute"
        inputMode="numeric"
        hint="Leave it empty for the rate limit of the plan."
      />
      <InputField
        shown={shown}
        name="monthlyQuota"
        label="Requests a month"
        inputMode="numeric"
        hint="Leave it empty for the quota of the plan; 0 is unlimited."
      />
      <InputField
        shown={shown}
        name="lastDay"
        label="Last day (UTC)"
        type="date"
        hint="Leave it empty for a key that does not expire."
      />
    </>
  );
}

const optionOf = ({ id, name, monthlyQuota }: Plan) => ({
  value: id,
  words: `${name} (${monthlyQuota === 0 ? 'unlimited' : monthlyQuota.toLocaleString('en')} requests a month)`,
});
