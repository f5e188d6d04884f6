/** A time in UTC, to the second, for people and programs. */
export const Moment = ({ at }: { at: Date }) => <time dateTime={at.toISOString()}>{momentText(at)}</time>;

/** @example momentText(new Date(0)) // '1970-01-01 00:00:00' */
export const momentText = (at: Date): string => at.toISOString().slice(0, 19).replace('T', ' ');
