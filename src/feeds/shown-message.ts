/** Makes the message of a run fit for the shop: without the secrets that the address of its feed may contain, and without the operator's commands. */
import { excerpt } from '../values/printable.ts';

const LONGEST = 400;

// The end of an address in a sentence is a blank, a quote or a bracket.
const ADDRESS = /\bhttps?:\/\/[^\s"'<>()]*/gi;

/** The message on one line, with only the hosts of the addresses in it. */
export function shownMessage(message: string): string {
  return excerpt(withoutCommands(message).replace(ADDRESS, originOf), LONGEST);
}

/** Drops clauses such as "; to import it as it is, use `pda feeds run feed_1 --confirm`." */
function withoutCommands(message: string): string {
  const clauses = message.split('; ');
  const kept = clauses.filter((clause) => !clause.includes('`pda '));
  return kept.length < clauses.length ? `${kept.join('; ').replace(/\.$/, '')}.` : message;
}

function originOf(address: string): string {
  const end = /[.,;:!?]*$/.exec(address)?.[0] ?? '';
  const url = address.slice(0, address.length - end.length);
  return `${URL.canParse(url) ? new URL(url).host : 'an address'}${end}`;
}
