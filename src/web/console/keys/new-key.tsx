/** `/console/keys/new`: creates a key. Its text is in the answer to the form, and nowhere else. */
import { checkName, createKey, KeyRefused } from '../../../access/key-admin.ts';
import { doOnce, nameForm } from '../../../console/used-forms.ts';
import { InputField, type Shown } from '../../forms/field.tsx';
import type { Fields } from '../../forms/fields.ts';
import { TokenField } from '../../forms/token-field.tsx';
import { Notice } from '../layout.tsx';
import type { ConsolePage, ConsoleRoute } from '../visit.ts';
import { FormNameField, formNameOf, issuedPage, usedPage } from './issued-page.tsx';
import { KEYS_PATH, NEW_KEY_PATH } from './paths.ts';
import { type Errors, readTerms, TermsFields } from './terms-form.tsx';

export const newKeyRoute: ConsoleRoute = {
  path: NEW_KEY_PATH,
  show: async ({ token }) => formPage({ token, form: nameForm(), values: new Map() }),
  async act({ form, token, session: { actor }, services: { database } }) {
    const errors: Errors = new Map();
    const name = readName(form, errors);
    const { plan, rateLimit, monthlyQuota, expiresAt } = readTerms(form, errors);
    const formName = formNameOf(form);
    if (errors.size > 0 || plan === undefined) {
      return { ...formPage({ token, form: formName, values: form, errors }), status: 400 };
    }
    const key = {
      name,
      plan,
      rateLimit: rateLimit ?? undefined,
      monthlyQuota: monthlyQuota ?? undefined,
      expiresAt: expiresAt ?? undefined,
    };
    try {
      const issued = await doOnce(
        database,
        formName,
        () => createKey(database, key, { actor }),
        ({ id }) => id,
      );
      return issuedPage(issued, 'New key', 'The key was created.');
    } catch (error) {
      return usedPage(error);
    }
  },
};

function readName(form: Fields, errors: Errors): string {
  const name = form.get('name') ?? '';
  try {
    checkName(name);
  } catch (error) {
    if (!(error instanceof KeyRefused)) throw error;
    errors.set('name', error.message);
  }
  return name;
}

interface Form {
  token: string;
  form: string;
  values: Fields;
  errors?: Errors;
}

function formPage({ token, form, values, errors = new Map() }: Form): ConsolePage {
  const shown: Shown = { form: 'new', values, errors };
  return {
    title: 'New key',
    section: KEYS_PATH,
    styles: ['console-pages.css'],
    content: (
      <>
        {errors.size > 0 && <Notice look="bad">No key was created: correct the marked fields.</Notice>}
        <form class="card stacked" method="post" action={NEW_KEY_PATH}>
          <TokenField token={token} />
          <FormNameField form={form} />
          <InputField
            shown={shown}
            name="name"
            label="Name"
            required
            hint="Whose key it is: 1 to 100 characters on one line."
          />
          <TermsFields shown={shown} />
          <div class="actions">
            <button class="button" type="submit">
              Create key
            </button>
            <a class="button quiet" href={KEYS_PATH}>
              Cancel
            </a>
          </div>
        </form>
      </>
    ),
  };
}
