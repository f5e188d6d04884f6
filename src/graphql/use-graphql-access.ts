/** Passes each GraphQL operation through the access that REST requests pass through, at the price of its root fields. */
import type { Plugin } from 'graphql-yoga';
import { accessOf } from '../access/plugin.ts';
import { costOf } from './cost.ts';
import { refusal } from './errors.ts';

export function useGraphqlAccess(): Plugin {
  return {
    async onParams({ request, params, setResult }) {
      const cost = costOf(params.query ?? '', params.operationName);
      if (cost === 0) return;
      try {
        const { settled } = await accessOf(request).admit(cost);
        await settled;
      } catch (error) {
        setResult({ errors: [refusal(error)] });
      }
    },
  };
}
