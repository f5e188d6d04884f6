/** Secrets and signatures of webhook messages. @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */
import { createHmac, randomBytes } from 'node:crypto';

const SECRET_PREFIX = 'whsec_';
// The specification asks for 24 to 64 bytes.
const SECRET_BYTES = 32;

/** Makes a signing secret: `whsec_` and 32 random bytes in base64. */
export const makeSigningSecret = (): string => SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64');

/** Makes the id of a message: `msg_` and 128 random bits. */
export const makeMessageId = (): string => `msg_${randomBytes(16).toString('base64url')}`;

/**
 * The headers of one attempt: the message's id, the time, and the HMAC-SHA256 of `id.timestamp.body` under the secret.
 * @param at the time of the attempt, in milliseconds since 1970.
 */
export function signedHeaders(secret: string, messageId: string, body: string, at: number): Record<string, string> {
  const timestamp = String(Math.floor(at / 1_000));
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  const signature = createHmac('sha256', key).update(`${messageId}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': messageId, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}
