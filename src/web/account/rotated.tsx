/** The page that shows a new key, once. */
import type { RotatedKey } from '../../account/rotate.ts';
import { Moment } from '../console/moment.tsx';
import { ACCOUNT_PATH, type AccountPage } from './frame.tsx';

/** @param hasEnded whether the former key has no grace period. */
export const rotatedPage = ({ key, formerKeysEnd }: RotatedKey, hasEnded: boolean): AccountPage => ({
  title: 'Your new key',
  content: (
    <>
      <p>Store it now: it is shown only once.</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what can be scrolled must be reachable with the keyboard. */}
      <pre data-copy tabIndex={0}>
        <code id="new-key">{key}</code>
      </pre>
      <p>
        {hasEnded ? (
          'The former key no longer works.'
        ) : (
          <>
            The former key reads until <Moment at={formerKeysEnd} /> (UTC), and changes nothing.
          </>
        )}{' '}
        You stay signed in.
      </p>
      <p>
        <a href={ACCOUNT_PATH}>Back to your account</a>
      </p>
    </>
  ),
});
