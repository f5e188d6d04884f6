/** Renders pages of the console. Nothing of them may be stored. */
import type { Answer } from '../../http/exchange.ts';
import { answerPrivate } from '../answer-page.tsx';
import { PRIVATE_HEADERS } from '../forms/private-headers.ts';
import type { Site } from '../layout.tsx';
import { inFrame } from './layout.tsx';
import type { ConsolePage } from './visit.ts';

/** The answer with a page. @param token of the session's forms; `undefined` for visitors who are not signed in. */
export function answerConsole(
  page: ConsolePage,
  site: Site,
  token?: string,
  headers: Record<string, string> = {},
): Answer {
  return answerPrivate(inFrame(page, token), site, {
    status: page.status,
    headers: { ...PRIVATE_HEADERS, ...headers },
  });
}
