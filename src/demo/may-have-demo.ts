/** Where the demo belongs. In a file of its own, so that asking does not load the importer. */
import type { Config } from '../config.ts';

/** The market of the demo's prices. */
export const DEMO_MARKET = { currency: 'EUR', country: 'DE' };

/** Whether servers import the demo: only into the embedded database, outside production. */
export const mayHaveDemo = ({ isProduction, databaseUrl }: Pick<Config, 'isProduction' | 'databaseUrl'>): boolean =>
  !isProduction && databaseUrl === undefined;

/** Whether the demo's prices are in the currency of the market. */
export const suitsDemo = ({ marketCurrency }: Pick<Config, 'marketCurrency'>): boolean =>
  marketCurrency === DEMO_MARKET.currency;
