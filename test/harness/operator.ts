/** An operator who is signed in to the console of a gateway, and sends its forms as a browser without JavaScript does. */
import { makeLink } from '../../src/console/sessions.ts';
import type { Answer, TestGateway } from './gateway.ts';

export interface Operator {
  /** The `Cookie` header of the session. */
  cookie: string;
  get(path: string): Promise<Answer>;
  /** Sends fields to a path, as a form of this site. */
  post(path: string, fields: Record<string, string>): Promise<Answer>;
  /**
   * Sends the form with this action that a page has, with its hidden and filled-in fields.
   * @param on the page, or its path.
   */
  send(on: string | Answer, action: string, fields?: Record<string, string>): Promise<Answer>;
}

/** Signs in. The gateway needs `CONSOLE=on`. */
export async function signInTo(gateway: TestGateway): Promise<Operator> {
  const { token } = await makeLink(gateway.database);
  const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: gateway.address };
  const opened = await gateway.get('/console/sign-in', {
    method: 'POST',
    headers,
    body: String(new URLSearchParams({ token })),
  });
  const cookie = opened.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
  if (opened.status !== 303 || cookie === '') throw new Error(`The console was not opened: ${opened.text}`);
  const get: Operator['get'] = (path) => gateway.get(path, { headers: { cookie } });
  const post: Operator['post'] = (path, fields) =>
    gateway.get(path, { method: 'POST', headers: { ...headers, cookie }, body: String(new URLSearchParams(fields)) });
  return {
    cookie,
    get,
    post,
    async send(on, action, fields = {}) {
      const page = typeof on === 'string' ? await get(on) : on;
      return post(action, { ...fieldsOf(page.text, action), ...fields });
    },
  };
}

/** The fields of a form as it is shown. @throws if the page has no form with this action. */
export function fieldsOf(html: string, action: string): Record<string, string> {
  const form = [...html.matchAll(/<form\b[^>]*>[\s\S]*?<\/form>/g)]
    .map(([text]) => text)
    .find((text) => attribute(text, 'action') === action && /^<form[^>]*method="post"/.test(text));
  if (form === undefined) throw new Error(`The page has no form to ${action}: ${html}`);
  const inputs = Array.from(form.matchAll(/<input\b[^>]*>/g), ([tag]) => tag)
    .filter((tag) => !/type="checkbox"|type="radio"/.test(tag) || / checked/.test(tag))
    .map((tag) => [attribute(tag, 'name') ?? '', attribute(tag, 'value') ?? '']);
  const choices = Array.from(form.matchAll(/<select\b[\s\S]*?<\/select>/g), ([list]) => {
    const options = Array.from(list.matchAll(/<option\b[^>]*>/g), ([tag]) => tag);
    const chosen = options.find((tag) => / selected/.test(tag)) ?? options[0] ?? '';
    return [attribute(list, 'name') ?? '', attribute(chosen, 'value') ?? ''];
  });
  return Object.fromEntries([...inputs, ...choices]);
}

const attribute = (tag: string, name: string): string | undefined => {
  const value = new RegExp(`^<[^>]* ${name}="([^"]*)"`).exec(tag)?.[1];
  return value?.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
};
