/** The frame of the pages at `/account`, and their answers. */
import type { ComponentChildren } from 'preact';
import type { Answer } from '../../http/exchange.ts';
import { answerPrivate } from '../answer-page.tsx';
import { PRIVATE_HEADERS } from '../forms/private-headers.ts';
import { SignOut } from '../forms/sign-out.tsx';
import type { Site } from '../layout.tsx';

/** The path of the account, and of its cookie. */
export const ACCOUNT_PATH = '/account';
export const ROTATE_PATH = '/account/rotate';
export const SIGN_OUT_PATH = '/account/sign-out';
/** The path of the deliveries of a webhook. */
export const deliveriesPath = (webhook: string): string => `/account/webhooks/${webhook}`;
/** The name of the field with the hours that the present key works after a rotation. */
export const GRACE_FIELD = 'graceHours';

/** A page of the account, which its frame completes. */
export interface AccountPage {
  title: string;
  content: ComponentChildren;
  /** 200 by default. */
  status?: number;
}

/** The answer with a page. @param token of the session's forms; `undefined` for visitors who are not signed in. */
export function answerAccount(
  { title, content, status = 200 }: AccountPage,
  site: Site,
  token?: string,
  headers: Record<string, string> = {},
): Answer {
  const page = {
    title,
    description: 'The account of an API key.',
    path: ACCOUNT_PATH,
    styles: ['console.css', 'account.css'],
    scripts: ['copy.js'],
    content: (
      <>
        <div class="account-head">
          <h1>{title}</h1>
          {token !== undefined && <SignOut path={SIGN_OUT_PATH} token={token} />}
        </div>
        {content}
      </>
    ),
  };
  return answerPrivate(page, site, { status, headers: { ...PRIVATE_HEADERS, ...headers } });
}
