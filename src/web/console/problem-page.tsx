/** The page that shows a refusal or a failure. */
import { maskSecrets } from '../../access/secret.ts';
import type { Problem } from '../../problem.ts';
import { CONSOLE_PATH, Notice } from './layout.tsx';
import type { ConsolePage } from './visit.ts';

export const problemPage = ({ title, status, message }: Problem): ConsolePage => ({
  title,
  section: CONSOLE_PATH,
  status,
  content: (
    <>
      <Notice look="bad">{maskSecrets(message)}</Notice>
      <p>
        <a href={CONSOLE_PATH}>Back to the overview</a>
      </p>
    </>
  ),
});
