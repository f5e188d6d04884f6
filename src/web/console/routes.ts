/** All pages of the console, and the forms on them. */
import { auditRoute } from './audit.tsx';
import { overviewRoute } from './overview.tsx';
import type { ConsoleRoute } from './visit.ts';

export const CONSOLE_ROUTES: readonly ConsoleRoute[] = [overviewRoute, auditRoute];
