/** The link of an offer, which counts clicks (contract §2.1). */
import { encodeId } from '../../values/id.ts';

/** The path on this server that redirects to the offer in the shop. */
export const goUrl = (offerId: bigint): string => `/go/${encodeId('offer', offerId)}`;
