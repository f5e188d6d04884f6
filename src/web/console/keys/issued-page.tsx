/** The answer to a form that made a key or a secret: its text, which no other page shows. */
import type { IssuedKey } from '../../../access/key-admin.ts';
import { FormUsed, isFormName } from '../../../console/used-forms.ts';
import { Problem } from '../../../problem.ts';
import { External } from '../../external-text.tsx';
import type { Fields } from '../../forms/fields.ts';
import { Notice } from '../layout.tsx';
import type { ConsolePage } from '../visit.ts';
import { KEYS_PATH, keyPath } from './paths.ts';

/** The name of the field with the name of the form. */
const FORM_FIELD = 'form';

/** The hidden field by which the same form is recognised. */
export const FormNameField = ({ form }: { form: string }) => <input type="hidden" name={FORM_FIELD} value={form} />;

/** The name of a form that was sent. @throws {Problem} `invalid_parameter` */
export function formNameOf(form: Fields): string {
  const name = form.get(FORM_FIELD) ?? '';
  if (isFormName(name)) return name;
  throw new Problem('invalid_parameter', 'The form is incomplete: open the page again, and send its form from there.');
}

/** Shows the text of a key, once. */
export const issuedPage = ({ id, key, name }: IssuedKey, title: string, what: string): ConsolePage => ({
  title,
  section: KEYS_PATH,
  styles: ['console-pages.css'],
  content: (
    <>
      <Notice>{what} It is shown only here and only now: copy it before you leave this page.</Notice>
      <p class="new-key">
        <code>{key}</code>
      </p>
      <p>
        <a href={keyPath(id)}>
          Open the key {id} of <External>{name}</External>
        </a>
      </p>
    </>
  ),
});

/** Explains that a form was sent again, and that nothing more was made. @throws all other errors. */
export function usedPage(error: unknown): ConsolePage {
  if (!(error instanceof FormUsed)) throw error;
  const { made } = error;
  return {
    title: 'Already done',
    section: KEYS_PATH,
    status: 409,
    content: (
      <>
        <Notice look="bad">
          This form has been sent before, so nothing more was made. The text of a key is shown only once: if you have
          not copied it, rotate the key to get another one.
        </Notice>
        <p>
          <a href={made === undefined ? KEYS_PATH : keyPath(made)}>
            {made === undefined ? 'Look for the key in the list' : `Open the key ${made}`}
          </a>
        </p>
      </>
    ),
  };
}
