/** Compresses answers of more than 1 KiB by what the client accepts best: Brotli, else gzip (decisions §6). */
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'graphql-yoga';
import Negotiator from 'negotiator';

const WORTHWHILE_BYTES = 1_024;
const COMPRESSIBLE = /^(application\/(.+\+)?json|application\/graphql-response\+json|text\/|image\/svg\+xml)/;

const compressors = {
  // Quality 4 is where Brotli is about as fast as gzip and smaller still.
  br: (bytes: Uint8Array) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (bytes: Uint8Array) => promisify(gzip)(bytes),
};

/** What negotiator does, with the option that its types do not know: what to choose of what the client likes alike. */
interface Negotiation {
  encoding(available: string[], options: { preferred: string[] }): string | undefined;
}

export function useCompression(): Plugin {
  return {
    async onResponse({ request, response, setResponse }) {
      const type = response.headers.get('content-type') ?? '';
      if (!COMPRESSIBLE.test(type)) return;
      response.headers.set('Vary', [response.headers.get('vary'), 'Accept-Encoding'].filter(Boolean).join(', '));
      const length = Number(response.headers.get('content-length') ?? 0);
      if (length < WORTHWHILE_BYTES || response.headers.has('content-encoding')) return;
      const accepted = request.headers.get('accept-encoding');
      if (accepted === null) return;
      const negotiator: Negotiation = new Negotiator({ headers: { 'accept-encoding': accepted } });
      const encoding = negotiator.encoding(['br', 'gzip', 'identity'], { preferred: ['br', 'gzip'] });
      if (encoding !== 'br' && encoding !== 'gzip') return;
      const headers = new Headers(response.headers);
      headers.set('Content-Encoding', encoding);
      headers.delete('Content-Length');
      if (request.method === 'HEAD') {
        setResponse(new Response(null, { status: response.status, headers }));
        return;
      }
      const compressed = await compressors[encoding](new Uint8Array(await response.arrayBuffer()));
      headers.set('Content-Length', String(compressed.length));
      setResponse(new Response(compressed, { status: response.status, headers }));
    },
  };
}
