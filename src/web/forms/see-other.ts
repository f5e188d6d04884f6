/** The answer to a form that was processed: the browser opens a page, and reloading it does not send the form again (RFC 9110 §15.4.4). */
import type { Answer } from '../../http/exchange.ts';

/** @param location the path of the page. @param headers more headers, such as `Set-Cookie`. */
export function seeOther(location: string, headers: Record<string, string> = {}): Answer {
  return {
    status: 303,
    headers: { ...headers, Location: location, 'Cache-Control': 'no-store', 'Content-Length': '0' },
    body: null,
  };
}
