/** The field `resolve`: the products that any code may mean. */
import { type CodeKind as Kind, LONGEST_CODE, type Reading, type Suggestion } from '../../values/codes/read-code.ts';
import { builder } from '../builder.ts';
import { cost } from '../field-cost.ts';
import { Product } from '../product/product.ts';
import { type Candidate, findByCode, requireReadable } from './find-by-code.ts';

const CodeKind = builder.enumType('CodeKind', {
  description: 'A kind of code.',
  values: {
    ean8: { description: 'An EAN-8 (GTIN-8).' },
    upca: { description: 'A UPC-A (GTIN-12).' },
    upce: { description: 'A UPC-E: a UPC-A without some of its zeros.' },
    ean13: { description: 'An EAN-13 (GTIN-13).' },
    gtin14: { description: 'A GTIN-14.' },
    isbn10: { description: 'An ISBN-10.' },
    isbn13: { description: 'An ISBN-13.' },
    issn: { description: 'An ISSN.' },
    asin: { description: 'An ASIN.' },
    element_string: { description: 'A GS1 element string.' },
    digital_link: { description: 'A GS1 Digital Link.' },
  } satisfies Record<Kind, { description: string }>,
});

const MATCHES = {
  exact: { description: 'The product has the code.' },
  padded: { description: 'The product has the code with the leading zeros that it lost.' },
  isbn10: { description: 'The product has the ISBN-13 of the ISBN-10.' },
  upce: { description: 'The product has the UPC-A of the UPC-E.' },
  case_of: { description: 'The code is that of a case, and the product is a unit in it.' },
} as const satisfies Record<Candidate['match'], { description: string }>;

const CodeMatch = builder.enumType('CodeMatch', {
  description: 'How a product was found by a code.',
  values: MATCHES,
});

const CodeReading = builder.objectRef<Reading>('CodeReading').implement({
  description: 'One way to read a code.',
  fields: (t) => ({
    kind: t.expose('kind', { type: CodeKind, description: 'The kind of code.' }),
    normalized: t.exposeString('normalized', {
      description: 'The GTIN with 14 digits; an ASIN in upper case.',
    }),
  }),
});

const CodeCandidate = builder.objectRef<Candidate>('CodeCandidate').implement({
  description: 'A product that a code may mean.',
  fields: (t) => ({
    match: t.expose('match', { type: CodeMatch, description: 'How the product was found.' }),
    product: t.field({ type: Product, description: 'The product.', resolve: ({ product }) => product }),
  }),
});

const CodeSuggestion = builder.objectRef<Suggestion>('CodeSuggestion').implement({
  description: 'The number that a code with a wrong check digit was probably meant to be.',
  fields: (t) => ({
    normalized: t.exposeString('normalized', { description: 'The GTIN with 14 digits.' }),
    detail: t.exposeString('detail', { description: 'What is wrong with the code, and what to do.' }),
  }),
});

interface Resolution {
  input: string;
  readings: readonly Reading[];
  candidates: readonly Candidate[];
  suggestion?: Suggestion;
}

// Seven to ten digits have at most three readings; only a number of 14 digits, which has one, can be that of a case.
const MOST_READINGS = 3;

const CodeResolution = builder.objectRef<Resolution>('CodeResolution').implement({
  description: 'What a code may mean.',
  fields: (t) => ({
    input: t.exposeString('input', { description: 'The code as it was sent.' }),
    readings: t.field({
      type: [CodeReading],
      ...cost({ items: MOST_READINGS }),
      description: 'The ways to read the code; several if it is ambiguous, none if its check digit is wrong.',
      resolve: ({ readings }) => [...readings],
    }),
    candidates: t.field({
      type: [CodeCandidate],
      ...cost({ items: MOST_READINGS }),
      description: 'The products that have one of the readings, then the units in cases that have it.',
      resolve: ({ candidates }) => [...candidates],
    }),
    suggestion: t.expose('suggestion', {
      type: CodeSuggestion,
      nullable: true,
      description: 'The number that was probably meant, if the check digit is wrong.',
    }),
  }),
});

builder.queryField('resolve', (t) =>
  t.field({
    type: CodeResolution,
    description:
      'The products that any code may mean: EAN-8, UPC-A, UPC-E, EAN-13, GTIN-14, ISBN, ISSN, ASIN, a GS1 element string or a GS1 Digital Link. Blanks and hyphens are ignored. An error if the code cannot be read.',
    args: {
      code: t.arg.string({ required: true, description: `The code: 1 to ${LONGEST_CODE} characters.` }),
    },
    resolve: async (_root, { code }, context): Promise<Resolution> => {
      const { readings, suggestion } = requireReadable(code);
      const candidates = await findByCode(readings, context);
      return { input: code, readings, candidates, ...(suggestion && { suggestion }) };
    },
  }),
);
