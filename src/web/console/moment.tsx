/** A time in UTC, to the second, for people and programs. */
export function Moment({ at }: { at: Date }) {
  const text = at.toISOString();
  return <time dateTime={text}>{`${text.slice(0, 10)} ${text.slice(11, 19)}`}</time>;
}
