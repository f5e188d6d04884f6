/**
 * Suggestions while a visitor types in the search field of a page: a combobox with a listbox, as the ARIA Authoring Practices describe
 * it. The form works without it.
 */
import { render } from 'preact';

interface Suggestion {
  type: 'product' | 'brand' | 'category';
  name: string;
  url: string;
  brand?: string;
  image?: string;
  price?: string;
}

const input = document.querySelector<HTMLInputElement>('#q');
const place = document.querySelector<HTMLElement>('#suggestions');
const state = document.querySelector<HTMLElement>('#search-state');
if (!input || !place || !state) throw new Error('The page has no search field.');
const [field, list, status] = [input, place, state];

const LIST_ID = 'suggestion-list';
const PAUSE_MS = 120;

let shown: readonly Suggestion[] = [];
let active = -1;
let asking: AbortController | undefined;
let pause: ReturnType<typeof setTimeout> | undefined;

field.setAttribute('role', 'combobox');
field.setAttribute('aria-autocomplete', 'list');
field.setAttribute('aria-controls', LIST_ID);
draw();

field.addEventListener('input', () => {
  clearTimeout(pause);
  asking?.abort();
  const text = field.value.trim();
  if (text === '') return close();
  pause = setTimeout(() => void ask(text), PAUSE_MS);
});
field.addEventListener('keydown', (event) => {
  if (event.isComposing) return;
  const [first, last] = [0, shown.length - 1];
  if (event.key === 'ArrowDown' && shown.length > 0) choose(active >= last ? first : active + 1);
  else if (event.key === 'ArrowUp' && shown.length > 0) choose(active <= first ? last : active - 1);
  else if (event.key === 'Escape' && shown.length > 0) close();
  else if (event.key === 'Enter' && active >= 0) open(shown[active]);
  else return;
  event.preventDefault();
});
field.addEventListener('blur', () => close());

async function ask(text: string): Promise<void> {
  asking = new AbortController();
  const { signal } = asking;
  try {
    const response = await fetch(`/suggest?${new URLSearchParams({ q: text })}`, { signal });
    if (!response.ok) throw new Error(String(response.status));
    const { data } = (await response.json()) as { data: Suggestion[] };
    if (signal.aborted || document.activeElement !== field) return;
    shown = data;
    active = -1;
    draw();
    status.textContent =
      data.length === 0 ? 'No suggestions.' : `${data.length} ${data.length === 1 ? 'suggestion' : 'suggestions'}.`;
  } catch {
    if (signal.aborted) return;
    // The form still works, and its page says what is wrong.
    close();
    status.textContent = 'No suggestions now. Press Enter to search.';
  }
}

function open(suggestion: Suggestion | undefined): void {
  if (suggestion) location.assign(suggestion.url);
}

function choose(index: number): void {
  active = index;
  draw();
  document.querySelector(`#${optionId(index)}`)?.scrollIntoView({ block: 'nearest' });
}

function close(): void {
  clearTimeout(pause);
  asking?.abort();
  shown = [];
  active = -1;
  status.textContent = '';
  draw();
}

function draw(): void {
  field.setAttribute('aria-expanded', String(shown.length > 0));
  if (active >= 0) field.setAttribute('aria-activedescendant', optionId(active));
  else field.removeAttribute('aria-activedescendant');
  list.classList.toggle('open', shown.length > 0);
  render(<Options />, list);
}

function optionId(index: number): string {
  return `suggestion-${index}`;
}

function Options() {
  return (
    <div id={LIST_ID} role="listbox" aria-label="Suggestions">
      {shown.map((suggestion, index) => (
        <Option key={suggestion.url} suggestion={suggestion} index={index} />
      ))}
    </div>
  );
}

const KINDS = { product: undefined, brand: 'Brand', category: 'Category' } as const;

function Option({ suggestion, index }: { suggestion: Suggestion; index: number }) {
  const { type, name, brand, image, price } = suggestion;
  return (
    // The field keeps the focus, and its keys choose. A click must come before the field loses it.
    // biome-ignore lint/a11y/useFocusableInteractive: the field has the focus (ARIA Authoring Practices, Combobox).
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field takes the keys.
    <div
      id={optionId(index)}
      role="option"
      aria-selected={index === active}
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => open(suggestion)}
    >
      <span class="picture" data-letter={(brand ?? name).slice(0, 1).toUpperCase()} aria-hidden="true">
        {image !== undefined && <img src={image} alt="" width="40" height="40" referrerpolicy="no-referrer" />}
      </span>
      <span class="suggestion-name">
        {name}
        <small>{KINDS[type] ?? brand}</small>
      </span>
      {price !== undefined && <span class="suggestion-price">{price}</span>}
    </div>
  );
}
