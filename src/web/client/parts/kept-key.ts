/** The key that was typed last, for all pages: for this tab alone, or in this browser where the person wants it kept. */

const KEPT_AS = 'product-data-api:key';

/** The key, or `undefined` when none was typed. */
export function keptKey(): string | undefined {
  return read(sessionStorage) ?? keyKeptForLong();
}

/** The key that is to outlive the tab, or `undefined`. */
export function keyKeptForLong(): string | undefined {
  return read(localStorage);
}

/** Keeps a key in place of the one before; an empty one is forgotten. @param isForLong beyond this tab. */
export function keepKey(key: string, isForLong: boolean): void {
  sessionStorage.removeItem(KEPT_AS);
  localStorage.removeItem(KEPT_AS);
  if (key !== '') (isForLong ? localStorage : sessionStorage).setItem(KEPT_AS, key);
}

/**
 * Shows the key that is kept in the page's field, and keeps what is typed there.
 *
 * @param onChange is told each key, the one that was kept first.
 */
export function connectKeyField(onChange: (key: string) => void = () => {}): HTMLInputElement {
  const field = document.querySelector<HTMLInputElement>('#key');
  const box = document.querySelector<HTMLInputElement>('#keep-key');
  if (!field || !box) throw new Error('The page has no field for the key.');
  field.value = keptKey() ?? '';
  box.checked = keyKeptForLong() !== undefined;
  const keep = () => {
    keepKey(field.value.trim(), box.checked);
    onChange(field.value.trim());
  };
  field.addEventListener('input', keep);
  box.addEventListener('change', keep);
  onChange(field.value);
  return field;
}

const read = (storage: Storage): string | undefined => storage.getItem(KEPT_AS) || undefined;
