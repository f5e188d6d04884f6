/** The account of a key: what its holder may see and do. The APIs and the page `/account` use it. */
import type { Access, AccessServices } from '../access/access.ts';
import type { AccessKey } from '../access/keys.ts';
import type { Database } from '../database/database.ts';
import { type RotatedKey, rotateOwnKey } from './rotate.ts';
import { type Usage, usageOfKey, usageOfRequest } from './usage.ts';

export type Account = ReturnType<typeof openAccount>;

/** Opens the accounts of all keys over a database. */
export function openAccount(database: Database, services: Pick<AccessServices, 'meter' | 'rateLimits'>) {
  return {
    /** The usage of the key of a request over the last `days` days. */
    usage: (access: Access, days: number): Promise<Usage> => usageOfRequest(database, access, days),
    /** The usage of a key over the last `days` days. */
    usageOf: (key: AccessKey, days: number): Promise<Usage> => usageOfKey(database, services, key, days),
    /** Gives a key a new secret. @throws {Problem} as {@link rotateOwnKey} does. */
    rotate: (key: Pick<AccessKey, 'id' | 'secretId'>, graceHours?: number): Promise<RotatedKey> =>
      rotateOwnKey(database, key, graceHours),
  };
}
