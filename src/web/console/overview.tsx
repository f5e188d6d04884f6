/** The overview: how the service is doing, and what needs attention. */
import { CONSOLE_PATH } from './layout.tsx';
import type { ConsoleRoute } from './visit.ts';

export const overviewRoute: ConsoleRoute = {
  path: CONSOLE_PATH,
  show: async ({ session }) => ({
    title: 'Overview',
    section: CONSOLE_PATH,
    content: <p class="muted">You are signed in as {session.actor}.</p>,
  }),
};
