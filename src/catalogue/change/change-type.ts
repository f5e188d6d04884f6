/** The types of changes in GraphQL. */
import { ChangeType as Type } from '../../generated/prisma/client.ts';
import { builder } from '../builder.ts';

export const ChangeTypeEnum = builder.enumType('ChangeType', {
  description: 'What a change concerns. One change may have several types.',
  values: {
    price: { value: Type.price, description: 'The price or the shipping cost of an offer.' },
    availability: { value: Type.availability, description: 'The availability of an offer.' },
    offer: { value: Type.offer, description: 'Anything else of an offer: its condition, its link, its product.' },
    offer_created: { value: Type.offer_created, description: 'An offer is new, or listed again.' },
    offer_withdrawn: { value: Type.offer_withdrawn, description: 'An offer is not listed any more.' },
    product: { value: Type.product, description: 'A product is new, or its own fields changed.' },
  },
});
