/** Reads forms that browsers send by POST. */
import { type BodyRule, type Exchange, headerOf } from '../../http/exchange.ts';
import { Problem } from '../../problem.ts';
import { type Fields, parseFields } from './fields.ts';

const FORM = 'application/x-www-form-urlencoded';
const MOST_BYTES = 16_384;

/** The body rule of a path that takes forms: at most 16 KiB, and nothing of other media types. */
export const formBodyRule: BodyRule = (exchange) => (isForm(exchange) ? MOST_BYTES : 0);

/**
 * The fields of the form in a request's body.
 * @throws {Problem} `unsupported_media_type`; `body_too_large`; as {@link parseFields} does.
 */
export function formOf(exchange: Exchange): Fields {
  if (!isForm(exchange)) {
    throw new Problem('unsupported_media_type', `Send a form: this URL takes \`${FORM}\`.`);
  }
  return parseFields(exchange.body());
}

function isForm(exchange: Exchange): boolean {
  const [type = ''] = (headerOf(exchange, 'content-type') ?? '').split(';', 1);
  return type.trim().toLowerCase() === FORM;
}
