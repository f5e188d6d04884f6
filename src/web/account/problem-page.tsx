/** The page that shows a refusal or a failure. */
import { maskSecrets } from '../../access/secret.ts';
import type { Problem } from '../../problem.ts';
import { Notice } from '../console/layout.tsx';
import { ACCOUNT_PATH, type AccountPage } from './frame.tsx';

export const problemPage = ({ title, status, message }: Problem): AccountPage => ({
  title,
  status,
  content: (
    <>
      <Notice look="bad">{maskSecrets(message)}</Notice>
      <p>
        <a href={ACCOUNT_PATH}>Back to your account</a>
      </p>
    </>
  ),
});
