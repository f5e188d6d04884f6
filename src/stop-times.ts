/**
 * The limits of a stop. With the default delay of a second, stopping ends within the ten seconds after which containers are killed.
 */

/** Requests that are still open this long after the delay are cut off. */
export const DRAIN_MS = 7_000;
/** The last counts can be written until this long after the delay. */
export const CLOSE_MS = 9_000;
