/** The benchmark could not run; the message says what to do. */
export class NotMeasured extends Error {}
