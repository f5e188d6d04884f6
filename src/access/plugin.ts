/** The one gate before both faces: gives each request its access, and each answer the headers that tell what is left. */
import type { Plugin } from 'graphql-yoga';
import { type Access, type AccessServices, openAccess } from './access.ts';
import type { AccessKey } from './keys.ts';

const accesses = new WeakMap<Request, Access>();

/** The access of a request that has come through {@link useAccess}. */
export function accessOf(request: Request): Access {
  const access = accesses.get(request);
  if (!access) throw new Error('The request has not come through the access plugin.');
  return access;
}

/** The key of a request whose work has asked for it; none where another plugin answered before access was opened. */
export function recognisedKey(request: Request): AccessKey | undefined {
  return accesses.get(request)?.recognised();
}

export function useAccess(services: AccessServices): Plugin {
  return {
    onRequest({ request }) {
      accesses.set(request, openAccess(request.headers.get('x-api-key'), services));
    },
    async onResponse({ request, response }) {
      const headers = await accesses.get(request)?.conclude(response.status);
      for (const [name, value] of Object.entries(headers ?? {})) response.headers.set(name, value);
    },
  };
}
