/** Random tokens of sessions, links and addresses. The database has only their digests, or treats them as secrets. */
import { randomBytes } from 'node:crypto';

/** A token of 32 random bytes, which are 43 characters in base64url. */
export const makeToken = (): string => randomBytes(32).toString('base64url');

const TOKEN = /^[\w-]{43}$/;

/** Whether a text has the form of a token. Others need not be looked up. */
export const isToken = (text: string | undefined): text is string => text !== undefined && TOKEN.test(text);
