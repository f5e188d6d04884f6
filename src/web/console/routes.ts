/** All pages of the console, and the forms on them. */
import { auditRoute } from './audit.tsx';
import { keyRoute, revokeRoute, rotateRoute } from './keys/key.tsx';
import { keyListRoute } from './keys/key-list.tsx';
import { newKeyRoute } from './keys/new-key.tsx';
import { overviewRoute } from './overview.tsx';
import type { ConsoleRoute } from './visit.ts';

export const CONSOLE_ROUTES: readonly ConsoleRoute[] = [
  overviewRoute,
  keyListRoute,
  newKeyRoute,
  keyRoute,
  rotateRoute,
  revokeRoute,
  auditRoute,
];
