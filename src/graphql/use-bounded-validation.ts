/**
 * Bounds the work of parsing and validation. A document that is nested too deeply, or has too many fields to compare, is refused as
 * too complex. Of many mistakes, only the first are reported, without keys that the document may contain.
 */
import type { GraphQLError, parse, validate } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { Problem } from '../problem.ts';
import { refusal, withoutSecrets, withoutSuggestion } from './errors.ts';
import { MOST_TOKENS } from './operation.ts';

/** The most mistakes reported for one document. Each may come with suggestions, which take time to find. */
const MOST_MISTAKES = 10;

// The message of GraphQL.js when it stops comparing the fields of a selection.
const GIVEN_UP = 'Validation aborted.';

/** @param hasSuggestions whether errors may suggest names from the schema. */
export function useBoundedValidation(hasSuggestions: boolean): Plugin {
  return {
    onParse({ parseFn, setParseFn }) {
      const parseAll = parseFn as typeof parse;
      setParseFn(((source, options) =>
        refusingDepth(() =>
          parseAll(source, { ...options, maxTokens: MOST_TOKENS }),
        )) as typeof parse as typeof parseFn);
    },
    onValidate({ validateFn, setValidationFn }) {
      const validateAll = validateFn as typeof validate;
      setValidationFn(((schema, document, rules, options) => {
        const mistakes = refusingDepth(() =>
          validateAll(schema, document, rules, { ...options, maxErrors: MOST_MISTAKES }),
        );
        if (mistakes.some(({ message }) => message === GIVEN_UP))
          throw tooMuch('The document selects too many fields in one place to compare them: select fewer.');
        const shown = hasSuggestions ? mistakes : mistakes.map(withoutSuggestion);
        return shown.map(withoutSecrets);
      }) as typeof validate as typeof validateFn);
    },
  };
}

/** A RangeError means that the recursion ran out of stack; nothing else is affected. */
function refusingDepth<Result>(follow: () => Result): Result {
  try {
    return follow();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw tooMuch('The document is nested too deeply: use fewer levels.');
  }
}

function tooMuch(detail: string): GraphQLError {
  return refusal(new Problem('operation_too_complex', detail, { parameter: 'query' }));
}
