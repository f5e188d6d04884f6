/** The paths of the pages of keys. */
export const KEYS_PATH = '/console/keys';
export const NEW_KEY_PATH = `${KEYS_PATH}/new`;

/** @param id such as `key_1`. */
export const keyPath = (id: string): string => `${KEYS_PATH}/${id}`;
