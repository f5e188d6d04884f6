/** The form to sign in with a key. The key is sent once, by POST, so that it is in no URL. */
import { maskSecrets } from '../../access/secret.ts';
import { SESSION_HOURS } from '../../account/sessions.ts';
import { Notice } from '../console/layout.tsx';
import { ACCOUNT_PATH, type AccountPage } from './frame.tsx';

/** The name of the field with the key. */
export const KEY_FIELD = 'key';

/** @param reason why the visitor sees this page. */
export const signInPage = (status: number, reason?: string): AccountPage => ({
  title: 'Your account',
  status,
  content: (
    <>
      {reason !== undefined && <Notice look={status >= 400 ? 'bad' : undefined}>{maskSecrets(reason)}</Notice>}
      <p>Sign in with your API key to see its plan, usage and webhooks, and to rotate it.</p>
      <form class="card account-sign-in" method="post" action={ACCOUNT_PATH}>
        <div class="field">
          <label for="account-key">Your key</label>
          <input
            id="account-key"
            name={KEY_FIELD}
            type="password"
            required
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            placeholder="pda_…"
            aria-describedby="account-key-hint"
          />
          <p class="hint" id="account-key-hint">
            The operator of this service issues keys. You are signed in for at most {SESSION_HOURS} hours.
          </p>
        </div>
        <button class="button" type="submit">
          Sign in
        </button>
      </form>
      <p class="muted small">
        If you are signed in already and came here from another site, <a href={ACCOUNT_PATH}>open your account</a>.
      </p>
    </>
  ),
});
