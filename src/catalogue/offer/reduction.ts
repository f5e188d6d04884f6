/** The reduction of an offer, which is read only where it is selected. */
import { amount, optionalAmount } from '../amount.ts';
import { builder } from '../builder.ts';
import { cost } from '../field-cost.ts';
import { Offer } from './offer.ts';
import type { AnnouncedReduction } from './read-reductions.ts';

const Reduction = builder.objectRef<AnnouncedReduction>('Reduction').implement({
  description:
    'A reduction that a shop announces, compared with the prior price (Directive 98/6/EC, Article 6a). All prices are of the goods, without shipping.',
  fields: (t) => ({
    since: t.field({
      type: 'DateTime',
      description:
        'The start of the latest reduction, which is the latest decrease of the price; an increase starts a new series.',
      resolve: ({ since }) => new Date(since),
    }),
    regularPrice: t.float(amount('regularPrice', 'The price that the shop states beside the reduced one.')),
    priorPrice: t.float(
      optionalAmount(
        'priorPrice',
        'The lowest price in the 30 days before `since`; null if fewer than 30 days are known.',
      ),
    ),
    priorPriceProgressive: t.float(
      optionalAmount(
        'priorPriceProgressive',
        'The lowest price in the 30 days before the first reduction of the series; null if fewer than 30 days are known.',
      ),
    ),
    percent: t.exposeFloat('percent', {
      nullable: true,
      description:
        'How far the price is below `priorPriceProgressive`, in percent; negative if it is above. Null without a prior price.',
    }),
  }),
});

builder.objectField(Offer, 'reduction', (t) =>
  t.field({
    type: Reduction,
    ...cost({ weight: 5 }),
    nullable: true,
    description: 'The reduction that the shop announces for this offer; null if it announces none.',
    resolve: (offer, _arguments, { loaders }) => loaders.reductionOfOffer.load(offer),
  }),
);
