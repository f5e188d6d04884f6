/**
 * Gives answers everything but the headers that differ from request to request: the encoding that the client prefers, and the headers
 * for security and CORS. The forms of a cached answer are cached with it, so most of its requests find theirs complete.
 */
import type { Soon } from '../soon.ts';
import { compress, encodingOf } from './compression.ts';
import type { Cors } from './cors.ts';
import type { Answer, Dressed, DressedForms, Exchange } from './exchange.ts';
import type { SecurityLines } from './security-headers.ts';

/** The longest body, in characters, that stays a text. */
const LONGEST_TEXT = 16_384;

export type Dressing = ReturnType<typeof openDressing>;

/** @param security the header lines of every answer. */
export function openDressing(cors: Cors, security: SecurityLines) {
  /** Adds the headers in place. Never waits, so it also serves answers that must be sent at once. */
  const dressAsIs = (asking: Pick<Exchange, 'method' | 'headers' | 'pathname'>, answer: Answer): Dressed => {
    cors.add(asking, answer);
    const { headers, body, isWhole } = answer;
    const lines = (headers['Content-Security-Policy'] === undefined ? security.data : security.page).slice();
    for (const name in headers) lines.push(name, headers[name] as string);
    return { lines, body, ...(isWhole && { isWhole }), bytes: headers['Content-Length'] };
  };

  /** @param asking has the origin of the page; a form that all pages share is made for none. */
  const dressAnew = (exchange: Exchange, answer: Answer, asking = exchange): Soon<Dressed> => {
    const compressing = compress(exchange, answer);
    return compressing ? compressing.then(() => dressAsIs(asking, answer)) : dressAsIs(asking, answer);
  };

  const formOf = (exchange: Exchange, answer: Answer, forms: DressedForms): Soon<Dressed> => {
    const name = encodingOf(exchange, answer) ?? 'identity';
    const known = forms[name];
    if (known) return known;
    const shared = copyOf(answer);
    // Node would encode a text again for each client; a short one is cheaper as a text, because it is written together with the headers.
    if (typeof shared.body === 'string' && shared.body.length > LONGEST_TEXT) shared.body = Buffer.from(shared.body);
    const dressing = dressAnew(exchange, shared, { ...exchange, headers: {} });
    forms[name] = dressing;
    if (dressing instanceof Promise) {
      dressing.then(
        (dressed) => {
          forms[name] = dressed;
        },
        () => delete forms[name],
      );
    }
    return dressing;
  };

  const dressShared = (exchange: Exchange, answer: Answer, forms: DressedForms): Soon<Dressed> => {
    const form = formOf(exchange, answer, forms);
    if (cors.isOpen) return form;
    const readable = (dressed: Dressed) => ({ ...dressed, lines: dressed.lines.concat(cors.linesFor(exchange)) });
    return form instanceof Promise ? form.then(readable) : readable(form);
  };

  return {
    dressAsIs,
    /** Compresses the answer if that is worthwhile, and adds the headers. */
    dress(exchange: Exchange, answer: Answer): Soon<Dressed> {
      const { dressed } = answer;
      if (!dressed) return dressAnew(exchange, answer);
      return exchange.method === 'HEAD' ? dressAnew(exchange, copyOf(answer)) : dressShared(exchange, answer, dressed);
    },
  };
}

const copyOf = (answer: Answer): Answer => ({ ...answer, headers: { ...answer.headers } });
