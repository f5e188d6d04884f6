/** Content negotiation by `Accept`, with the values that programs and browsers really send. */
import { describe, expect, test } from 'vitest';
import { chooseRepresentation } from '../src/rest/representation.ts';

const CSV = 'text/csv; charset=utf-8';
const FORMS = ['application/json', 'image/svg+xml', CSV] as const;

describe('the format is chosen among JSON, SVG and CSV for', () => {
  test.each([
    ['nothing', undefined, 'application/json'],
    ['anything, as curl does', '*/*', 'application/json'],
    ['JSON or anything, as axios does', 'application/json, text/plain, */*', 'application/json'],
    [
      'HTML, as a browser does for a page',
      'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
      'application/json',
    ],
    ['only unsupported formats', 'application/pdf', 'application/json'],
    ['formats that cannot be parsed', ';;q=,/', 'application/json'],
    [
      'pictures, as a browser does for an img element',
      'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8',
      'image/svg+xml',
    ],
    ['any picture', 'image/*', 'image/svg+xml'],
    ['SVG', 'image/svg+xml', 'image/svg+xml'],
    ['SVG in capitals', 'Image/SVG+XML', 'image/svg+xml'],
    ['CSV', 'text/csv', CSV],
    ['CSV with its charset', 'text/csv;charset=utf-8', CSV],
    ['CSV rather than JSON', 'application/json;q=0.5, text/csv', CSV],
    ['no SVG, and JSON with a low weight', 'image/svg+xml;q=0, application/json;q=0.1', 'application/json'],
  ])('a client that requests %s', (_what, accept, chosen) => {
    expect(chooseRepresentation(accept, FORMS)).toBe(chosen);
  });
});
