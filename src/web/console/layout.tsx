/** The frame of the console's pages: its menu, the button to sign out, and the content. */
import type { ComponentChildren } from 'preact';
import { printable } from '../../values/printable.ts';
import { SignOut } from '../forms/sign-out.tsx';
import type { Page } from '../layout.tsx';
import type { ConsolePage } from './visit.ts';

/** The path of the console, and of its cookie. */
export const CONSOLE_PATH = '/console';
export const SIGN_IN_PATH = '/console/sign-in';
export const SIGN_OUT_PATH = '/console/sign-out';

const MENU: readonly { path: string; label: string }[] = [
  { path: CONSOLE_PATH, label: 'Overview' },
  { path: '/console/keys', label: 'Keys' },
  { path: '/console/feeds', label: 'Feeds and shops' },
  { path: '/console/products', label: 'Products' },
  { path: '/console/audit', label: 'Audit' },
];

/** Completes a page. @param token of the session; `undefined` for visitors who are not signed in. */
export function inFrame({ title, section, content, styles = [] }: ConsolePage, token: string | undefined): Page {
  // A heading is a paragraph of its own, so its direction moves nothing.
  const shown = printable(title);
  return {
    title: `${shown} · Console`,
    description: 'The console of the operator.',
    path: section,
    styles: ['console.css', ...styles],
    menu: token === undefined ? '' : <Menu section={section} token={token} />,
    content: (
      <>
        <h1>{shown}</h1>
        {content}
      </>
    ),
  };
}

function Menu({ section, token }: { section: string; token: string }) {
  return (
    <>
      <nav class="site-menu" aria-label="Console">
        {MENU.map(({ path, label }) => (
          <a key={path} href={path} aria-current={path === section ? 'page' : undefined}>
            {label}
          </a>
        ))}
      </nav>
      <SignOut path={SIGN_OUT_PATH} token={token} />
    </>
  );
}

/** A sentence above a page's content: what was done, or what failed. */
export function Notice({ look, children }: { look?: 'bad' | undefined; children: ComponentChildren }) {
  return (
    <div class={look ? `notice ${look}` : 'notice'} role={look === 'bad' ? 'alert' : 'status'}>
      <p>{children}</p>
    </div>
  );
}
