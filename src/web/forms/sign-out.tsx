/** The button that ends a session. */
import { TokenField } from './token-field.tsx';

/** @param path where the form is sent. @param token from `formTokenOf`. */
export function SignOut({ path, token }: { path: string; token: string }) {
  return (
    <form class="sign-out" method="post" action={path}>
      <TokenField token={token} />
      <button class="button quiet small" type="submit">
        Sign out
      </button>
    </form>
  );
}
