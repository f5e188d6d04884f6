/**
 * A value that may already be there. On the path that all requests take, each needless wait costs a promise and a turn of the queue,
 * so functions there return the value itself when they have it.
 */
export type Soon<Value> = Value | Promise<Value>;
