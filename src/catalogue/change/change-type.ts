/** The types of changes in GraphQL. */
import { ChangeType } from '../../generated/prisma/client.ts';
import { builder } from '../builder.ts';

export const ChangeTypeEnum = builder.enumType('ChangeType', {
  description: 'What a change affects.',
  values: {
    price: { value: ChangeType.price, description: 'The price of an offer.' },
    availability: { value: ChangeType.availability, description: 'The availability of an offer.' },
    offer: { value: ChangeType.offer, description: 'Anything else of an offer, such as its condition or its link.' },
    offer_created: { value: ChangeType.offer_created, description: 'A shop started to list an offer.' },
    offer_withdrawn: { value: ChangeType.offer_withdrawn, description: 'A shop withdrew an offer.' },
    product: { value: ChangeType.product, description: 'A field of the product itself, such as its name.' },
  },
});
