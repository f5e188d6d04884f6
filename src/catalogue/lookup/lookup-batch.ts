/** The field `lookupBatch`: many lookups at once, each with an outcome of its own. */
import { maskSecrets } from '../../access/secret.ts';
import { Problem, type ProblemCode } from '../../problem.ts';
import { formatGtin } from '../../values/gtin.ts';
import { invalid } from '../arguments.ts';
import { builder, type Context } from '../builder.ts';
import { type Candidate, findByCode, requireReadable } from '../code/find-by-code.ts';
import { cost } from '../field-cost.ts';
import { explainNothing, type Found, LookupResult, lookUp, lookupsAsked, MOST_LOOKUPS } from './lookup.ts';

/** The most offers that an answer lists: 100 for each of 100 entries. */
export const MOST_OFFERS_OF_BATCH = 10_000;

const STATUSES = {
  found: { description: 'A product has the identifier.' },
  not_found: { description: 'No product has the identifier.' },
  invalid: { description: 'The entry cannot be read.' },
  ambiguous: { description: 'The code can mean several products.' },
} as const;

const LookupStatus = builder.enumType('LookupStatus', { description: 'The outcome of a lookup.', values: STATUSES });

const LookupEntry = builder.inputType('LookupEntry', {
  description: 'Exactly one of an EAN/GTIN, an ASIN and any code.',
  fields: (t) => ({
    ean: t.string({ description: 'An EAN/GTIN of 13 or 14 digits.' }),
    asin: t.string({ description: 'An ASIN: ten letters and digits, in upper or lower case.' }),
    code: t.string({ description: 'Any code: see `resolve`.' }),
  }),
});
type Entry = typeof LookupEntry.$inferInput;

const EntryEcho = builder.objectRef<Entry>('LookupInput').implement({
  description: 'An entry of a batch as it was sent.',
  fields: (t) => ({
    ean: t.exposeString('ean', { nullable: true, description: 'The EAN/GTIN.' }),
    asin: t.exposeString('asin', { nullable: true, description: 'The ASIN.' }),
    code: t.exposeString('code', { nullable: true, description: 'The code.' }),
  }),
});

/** A problem as a value: graphql-js takes a returned error for a thrown one. */
interface Explained {
  problem: Problem;
}

const EntryProblem = builder.objectRef<Explained>('LookupProblem').implement({
  description: 'Why an entry has no result, with the members of problem details (RFC 9457).',
  fields: (t) => ({
    type: t.string({
      description: 'The URL of the documentation of this kind of problem.',
      resolve: ({ problem: { code } }, _arguments, { market }) => `${market.publicUrl}/docs/errors#${code}`,
    }),
    title: t.string({ description: 'The kind of problem.', resolve: ({ problem }) => problem.title }),
    status: t.int({
      description: 'The HTTP status of the same problem of a single lookup.',
      resolve: ({ problem }) => problem.status,
    }),
    detail: t.string({
      description: 'What happened and what to do.',
      // An entry may contain a key by mistake.
      resolve: ({ problem }) => maskSecrets(problem.message),
    }),
    code: t.string({ description: 'The kind of problem, for programs.', resolve: ({ problem }) => problem.code }),
    parameter: t.string({
      nullable: true,
      description: 'The invalid member, if one is.',
      resolve: ({ problem }) => problem.parameter,
    }),
  }),
});

interface Outcome {
  input: Entry;
  status: keyof typeof STATUSES;
  problem?: Problem;
  result?: Found;
}

const LookupOutcome = builder.objectRef<Outcome>('LookupOutcome').implement({
  description: 'The outcome of one entry of a batch.',
  fields: (t) => ({
    input: t.expose('input', { type: EntryEcho, description: 'The entry as it was sent.' }),
    status: t.expose('status', { type: LookupStatus, description: 'The outcome.' }),
    problem: t.field({
      type: EntryProblem,
      nullable: true,
      description: 'Why the entry has no result; null if it has one.',
      resolve: ({ problem }) => problem && { problem },
    }),
    result: t.expose('result', {
      type: LookupResult,
      nullable: true,
      description: 'The product with its offers, as `lookup` returns it.',
    }),
  }),
});

builder.queryField('lookupBatch', (t) =>
  t.field({
    type: [LookupOutcome],
    ...cost({ items: lookupsAsked, requests: (argument) => Math.max(1, lookupsAsked(argument)) }),
    description: `Looks up 1 to ${MOST_LOOKUPS} products at once, by EAN/GTIN, ASIN or any code: exactly one outcome per entry, in their order. An invalid entry does not affect the others. Each entry costs one request.`,
    args: {
      identifiers: t.arg({ type: [LookupEntry], required: true, description: 'The entries to look up.' }),
      offers: t.arg.int({
        description: `The most offers of each product, cheapest first; by default all, but the cheapest of each if there are more than ${MOST_OFFERS_OF_BATCH} together.`,
      }),
    },
    resolve: async (_root, { identifiers, offers }, context) => {
      const { length } = identifiers;
      if (length < 1 || length > MOST_LOOKUPS) {
        const detail = `\`identifiers\` must have 1 to ${MOST_LOOKUPS} entries; got ${length}: ${length > 0 ? 'use several requests' : 'send some'}.`;
        throw invalid('identifiers', detail);
      }
      if (offers != null && offers < 1) throw invalid('offers', `\`offers\` must be at least 1; got ${offers}.`);
      const outcomes = await Promise.all(identifiers.map((entry) => outcomeOf(entry, context)));
      const share = evenShare(
        outcomes.map(({ result }) => Math.min(result?.offers.length ?? 0, offers ?? Number.POSITIVE_INFINITY)),
      );
      return outcomes.map((outcome) => withOffers(outcome, Math.min(share, offers ?? Number.POSITIVE_INFINITY)));
    },
  }),
);

/** The most offers of each product with which all together are at most {@link MOST_OFFERS_OF_BATCH}. */
function evenShare(counts: readonly number[]): number {
  let left = MOST_OFFERS_OF_BATCH;
  for (const [n, count] of [...counts].sort((one, other) => one - other).entries()) {
    const share = Math.floor(left / (counts.length - n));
    if (count > share) return share;
    left -= count;
  }
  return Number.POSITIVE_INFINITY;
}

function withOffers(outcome: Outcome, most: number): Outcome {
  const { result } = outcome;
  if (!result || result.offers.length <= most) return outcome;
  return { ...outcome, result: { ...result, offers: result.offers.slice(0, most) } };
}

async function outcomeOf(input: Entry, context: Context): Promise<Outcome> {
  try {
    requireOne(input);
    if (input.code != null) return { input, ...(await outcomeOfCode(input.code, context)) };
    const result = await lookUp(input, context);
    if (result) return { input, status: 'found', result };
    return { input, status: 'not_found', problem: new Problem('not_found', explainNothing(input)) };
  } catch (error) {
    // The database being down is no property of an entry.
    if (!(error instanceof Problem) || !INVALID.has(error.code)) throw error;
    return { input, status: 'invalid', problem: error };
  }
}

const INVALID: ReadonlySet<ProblemCode> = new Set(['invalid_parameter', 'exactly_one_identifier']);

function requireOne({ ean, asin, code }: Entry): void {
  if ([ean, asin, code].filter((value) => value != null).length === 1) return;
  throw new Problem('exactly_one_identifier', 'Send exactly one of `ean`, `asin` and `code` in each entry, as a text.');
}

async function outcomeOfCode(code: string, context: Context): Promise<Omit<Outcome, 'input'>> {
  const { readings, suggestion } = requireReadable(code);
  // A case is not its unit.
  const candidates = (await findByCode(readings, context)).filter(({ match }) => match !== 'case_of');
  const [only, ...others] = candidates;
  if (!only) {
    const detail = suggestion?.detail ?? `No product has the code ${code.slice(0, 100)}: check it, or search by name.`;
    return { status: 'not_found', problem: new Problem('not_found', detail) };
  }
  if (others.length === 0) return { status: 'found', result: { ...only, shown: shownOf(only) } };
  const names = candidates.map(({ key }) => (key.kind === 'gtin' ? `\`ean\` ${key.value}` : `\`asin\` ${key.value}`));
  const detail = `The code can mean ${candidates.length} products: send ${names.join(' or ')} instead.`;
  return { status: 'ambiguous', problem: new Problem('ambiguous_code', detail) };
}

const shownOf = ({ key: { kind, value } }: Candidate) =>
  kind === 'gtin' ? { ean: formatGtin(value as Parameters<typeof formatGtin>[0]) } : { asin: value };
