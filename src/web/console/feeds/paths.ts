/** The addresses of feeds and shops in the console. */
export const FEEDS_PATH = '/console/feeds';
export const NEW_FEED_PATH = `${FEEDS_PATH}/new`;
export const SHOPS_PATH = '/console/shops';

/** @param id such as `fed_1`. */
export const feedPath = (id: string): string => `${FEEDS_PATH}/${id}`;

export const editFeedPath = (id: string): string => `${feedPath(id)}/edit`;
