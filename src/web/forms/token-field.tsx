/** The hidden field with the token of the session, which every form of a session contains. */
import { TOKEN_FIELD } from './same-origin.ts';

/** @param token from `formTokenOf`. */
export function TokenField({ token }: { token: string }) {
  return <input type="hidden" name={TOKEN_FIELD} value={token} />;
}
