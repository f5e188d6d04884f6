/** The forms that change, rotate and revoke a key. */
import { CheckField, InputField, type Shown } from '../../forms/field.tsx';
import { TokenField } from '../../forms/token-field.tsx';
import { FormNameField } from './issued-page.tsx';
import { TermsFields } from './terms-form.tsx';

interface FormsProps {
  /** The path of the key's page. */
  path: string;
  token: string;
  /** The name of the form that rotates, so that it does so once. */
  form: string;
  /** The terms with which the form was filled in. */
  former: string;
  /** Whether the key has expired: then no text of it would work. */
  hasEnded: boolean;
  terms: Shown;
  rotation: Shown;
  revocation: Shown;
}

export function KeyForms({ path, token, form, former, hasEnded, terms, rotation, revocation }: FormsProps) {
  return (
    <div class="key-forms">
      <section>
        <h2>Plan and limits</h2>
        <form class="card stacked" method="post" action={path}>
          <TokenField token={token} />
          <input type="hidden" name="former" value={former} />
          <TermsFields shown={terms} />
          <div class="actions">
            <button class="button" type="submit">
              Save
            </button>
          </div>
        </form>
      </section>
      <div>
        <section>
          <h2>Rotate</h2>
          {hasEnded ? (
            <p class="notice">The key has expired, so a new text would not work: choose a later last day first.</p>
          ) : (
            <form class="card stacked" method="post" action={`${path}/rotate`}>
              <TokenField token={token} />
              <FormNameField form={form} />
              <InputField
                shown={rotation}
                name="graceHours"
                label="Hours for which the former text works"
                inputMode="decimal"
                hint="0 if it has leaked. Plan, limits and usage stay."
              />
              <div class="actions">
                <button class="button" type="submit">
                  Rotate key
                </button>
              </div>
            </form>
          )}
        </section>
        <section>
          <h2>Revoke</h2>
          <form class="card stacked" method="post" action={`${path}/revoke`}>
            <TokenField token={token} />
            <CheckField shown={revocation} name="sure" label="End this key for good" />
            <div class="actions">
              <button class="button danger" type="submit">
                Revoke key
              </button>
            </div>
          </form>
        </section>
      </div>
    </div>
  );
}
