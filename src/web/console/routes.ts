/** All pages of the console, and the forms on them. */
import { auditRoute } from './audit.tsx';
import { feedActionRoutes } from './feeds/actions.ts';
import { editFeedRoute } from './feeds/edit-feed.tsx';
import { feedRoute } from './feeds/feed.tsx';
import { feedListRoute } from './feeds/feed-list.tsx';
import { newFeedRoute } from './feeds/new-feed.tsx';
import { shopListRoute } from './feeds/shop-list.tsx';
import { keyRoute, revokeRoute, rotateRoute } from './keys/key.tsx';
import { keyListRoute } from './keys/key-list.tsx';
import { newKeyRoute } from './keys/new-key.tsx';
import { overviewRoute } from './overview.tsx';
import { detachRoute } from './products/detach.tsx';
import { ledgerRoute } from './products/ledger.tsx';
import { offersRoute } from './products/offers.tsx';
import { productRoute } from './products/product.tsx';
import { productListRoute } from './products/product-list.tsx';
import type { ConsoleRoute } from './visit.ts';

export const CONSOLE_ROUTES: readonly ConsoleRoute[] = [
  overviewRoute,
  keyListRoute,
  newKeyRoute,
  keyRoute,
  rotateRoute,
  revokeRoute,
  feedListRoute,
  shopListRoute,
  newFeedRoute,
  feedRoute,
  editFeedRoute,
  ...feedActionRoutes,
  productListRoute,
  productRoute,
  offersRoute,
  ledgerRoute,
  detachRoute,
  auditRoute,
];
