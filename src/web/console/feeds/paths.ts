/** The addresses of feeds and shops in the console. */
export const FEEDS_PATH = '/console/feeds';
export const SHOPS_PATH = '/console/shops';

/** @param id such as `fed_1`. */
export const feedPath = (id: string): string => `${FEEDS_PATH}/${id}`;
