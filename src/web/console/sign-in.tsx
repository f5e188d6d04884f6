/** The pages of visitors who are not signed in. */
import { CONSOLE_PATH, Notice, SIGN_IN_PATH } from './layout.tsx';
import type { ConsolePage } from './visit.ts';

/** The name of the token in the link and in its form. */
export const LINK_FIELD = 'token';

/** Opening the link only shows this button: programs that check the links in messages open it too, and must not use it up. */
export const confirmPage = (token: string): ConsolePage => ({
  title: 'Sign in',
  section: SIGN_IN_PATH,
  content: (
    <>
      <p>This link opens the console in this browser, once.</p>
      <form method="post" action={SIGN_IN_PATH}>
        <input type="hidden" name={LINK_FIELD} value={token} />
        <button class="button" type="submit">
          Sign in
        </button>
      </form>
    </>
  ),
});

/** Explains how to get a link. @param reason why the visitor sees this page. */
export const signedOutPage = (status: number, reason?: string): ConsolePage => ({
  title: 'Sign in',
  section: SIGN_IN_PATH,
  status,
  content: (
    <>
      {reason !== undefined && <Notice look={status >= 400 ? 'bad' : undefined}>{reason}</Notice>}
      <p>
        Run <code>pda console</code> where the service runs, and open the link that it prints. A link is valid for ten
        minutes, and for one browser.
      </p>
      <p>
        If you are signed in already and came here from another site, <a href={CONSOLE_PATH}>open the console</a>.
      </p>
    </>
  ),
});
