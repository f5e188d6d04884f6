/** A text from outside, such as a shop's name: it cannot reorder the text beside it, and characters that would reorder it are visible. */
import { printable } from '../../values/printable.ts';

export const Name = ({ text }: { text: string }) => <bdi>{printable(text)}</bdi>;
