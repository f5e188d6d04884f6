/** Text from outside, such as a shop's name, within a line of a page. */
import { printable } from '../values/printable.ts';

/**
 * Isolates a text, so that its direction does not move what stands beside it (Unicode UAX #9), and shows control characters as escapes:
 * names that differ must look different to an operator.
 */
export const External = ({ children }: { children: string }) => <bdi>{printable(children)}</bdi>;
