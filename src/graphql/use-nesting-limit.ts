/**
 * A document that is nested more deeply than the parser or the validator can follow is the client's mistake: what they run out
 * of is the stack of their own recursion, and nothing else is harmed.
 */
import { GraphQLError } from 'graphql';
import type { Plugin } from 'graphql-yoga';

export function useNestingLimit(): Plugin {
  return {
    onParse({ parseFn, setParseFn }) {
      setParseFn(refusingDepth(parseFn));
    },
    onValidate({ validateFn, setValidationFn }) {
      setValidationFn(refusingDepth(validateFn));
    },
  };
}

function refusingDepth<Arguments extends unknown[], Result>(
  follow: (...values: Arguments) => Result,
): (...values: Arguments) => Result {
  return (...values) => {
    try {
      return follow(...values);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      throw new GraphQLError('The document is nested too deeply: nest less.', {
        extensions: { code: 'invalid_parameter', status: 400, parameter: 'query' },
      });
    }
  };
}
