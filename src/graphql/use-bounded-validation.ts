/**
 * Keeps parsing and validating within bounds: a document that is nested more deeply than they can follow, or that would have them
 * compare too much, is refused like any other that is too much; and of very many mistakes the first are told.
 */
import type { GraphQLError, parse, validate } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { Problem } from '../problem.ts';
import { refusal, withoutSecrets } from './errors.ts';

/** The most mistakes that are told of one document: each may come with suggestions, which take time to be found. */
const MOST_MISTAKES = 10;

// The words of GraphQL.js where it gives up comparing the fields of one selection with each other.
const GIVEN_UP = 'Validation aborted.';

export function useBoundedValidation(): Plugin {
  return {
    onParse({ parseFn, setParseFn }) {
      const parseAll = parseFn as typeof parse;
      setParseFn(((...asked: Parameters<typeof parse>) => refusingDepth(() => parseAll(...asked))) as typeof parseFn);
    },
    onValidate({ validateFn, setValidationFn }) {
      const validateAll = validateFn as typeof validate;
      setValidationFn(((schema, document, rules, options) => {
        const mistakes = refusingDepth(() =>
          validateAll(schema, document, rules, { ...options, maxErrors: MOST_MISTAKES }),
        );
        if (mistakes.some(({ message }) => message === GIVEN_UP)) throw tooManyFields();
        return mistakes.map(withoutSecrets);
      }) as typeof validate as typeof validateFn);
    },
  };
}

/** What they run out of is the stack of their own recursion, and nothing else is harmed. */
function refusingDepth<Result>(follow: () => Result): Result {
  try {
    return follow();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw tooMuch('The document is nested too deeply: nest less.');
  }
}

const tooManyFields = () =>
  tooMuch(
    'The document asks for so many fields in one place that they cannot be compared with each other: ask for fewer.',
  );

function tooMuch(detail: string): GraphQLError {
  return refusal(new Problem('operation_too_complex', detail, { parameter: 'query' }));
}
