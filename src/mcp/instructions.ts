/** What an agent is told of the service as a whole, when it connects. */
import type { Market } from '../catalogue/market.ts';

export function instructions({ currency, publicUrl }: Market): string {
  return `Products, what they cost in each shop now, and how prices have gone, from the shops' own feeds.

How to work:
1. With a number (EAN, GTIN, ISBN-13, ASIN): look_up. With a name: search, then get_product with the slug that it gives. To choose among many: list_products with filters.
2. From a product go on to list_offers to compare shops, and to get_price_history to judge whether a price is good. Answers of look_up and get_product bear \`next\`: these calls with their arguments.
3. Lists have pages: when \`page.nextCursor\` is there, call the same tool with the same arguments and \`cursor\` set to it. Ask for no more pages than you need.

How to read answers:
- Prices are in ${currency}. \`totalPrice\` is price and shipping: compare shops by it. Offers come cheapest first; look at \`availability\` before you recommend one.
- What is not known is left out. A product with no offer now has \`offerCount\` 0 and neither \`min\` nor \`max\`.
- A product's numbers are in \`identifier\`; slugs and ids are for calls, not for people.
- Prices are those of the shops' latest feeds (\`updatedAt\` of an offer). Say when you name them.

Cite what you use: a product by its \`url\`. An offer's \`url\` is a path of ${publicUrl} that leads to the shop: write it out as ${publicUrl}/go/….

Every tool call costs one request of the user's monthly quota, also one that finds nothing or has wrong arguments: do not guess numbers, and do not ask twice for what you have. When the quota is used up or the rate limit is reached the error says until when.`;
}
