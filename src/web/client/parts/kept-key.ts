/** Keeps the last typed key for all pages: for this tab only, or in this browser if the user wants it. */

const KEPT_AS = 'product-data-api:key';

const read = (storage: Storage): string | undefined => storage.getItem(KEPT_AS) || undefined;

/** The key that outlives the tab, or `undefined`. */
export const keyKeptForLong = (): string | undefined => read(localStorage);

/** The key, or `undefined` if none was typed. */
export const keptKey = (): string | undefined => read(sessionStorage) ?? keyKeptForLong();

/** Replaces the kept key; an empty one removes it. @param isForLong whether the key outlives this tab. */
export function keepKey(key: string, isForLong: boolean): void {
  sessionStorage.removeItem(KEPT_AS);
  localStorage.removeItem(KEPT_AS);
  if (key !== '') (isForLong ? localStorage : sessionStorage).setItem(KEPT_AS, key);
}

/**
 * Shows the kept key in the page's field, and keeps any new key, also one typed before this call.
 * @param onChange called with each key, first with the typed or kept one.
 */
export function connectKeyField(onChange: (key: string) => void = () => {}): HTMLInputElement {
  const field = document.querySelector<HTMLInputElement>('#key');
  const box = document.querySelector<HTMLInputElement>('#keep-key');
  if (!field || !box) throw new Error('The page has no field for the key.');
  // The page may have a key for visitors without one.
  const isTyped = field.value.trim() !== '' && field.value !== field.defaultValue;
  if (!isTyped) {
    field.value = keptKey() ?? field.defaultValue;
    box.checked = keyKeptForLong() !== undefined;
  }
  const keep = () => {
    const typed = field.value.trim();
    keepKey(typed === field.defaultValue ? '' : typed, box.checked);
    onChange(field.value.trim());
  };
  field.addEventListener('input', keep);
  box.addEventListener('change', keep);
  if (isTyped) keep();
  else onChange(field.value);
  return field;
}
