/** Makes the message of a run fit for the shop: without the secrets that the address of its feed may contain. */
import { excerpt } from '../values/printable.ts';

const LONGEST = 400;

// The end of an address in a sentence is a blank, a quote or a bracket.
const ADDRESS = /\bhttps?:\/\/[^\s"'<>()]*/gi;

/** The message with only the origins of the addresses in it, on one line. */
export function shownMessage(message: string): string {
  return excerpt(message.replace(ADDRESS, originOf), LONGEST);
}

function originOf(address: string): string {
  const end = /[.,;:!?]*$/.exec(address)?.[0] ?? '';
  const url = address.slice(0, address.length - end.length);
  return `${URL.canParse(url) ? new URL(url).host : 'an address'}${end}`;
}
