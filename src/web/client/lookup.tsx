/** The front page's form: looks up a product with the typed key, and shows the result or the problem. */
import { render } from 'preact';
import { connectKeyField } from './parts/kept-key.ts';
import { type Answer, Found, type ProblemDocument, Refused } from './parts/lookup-result.tsx';

const element = <Kind extends HTMLElement>(id: string): Kind => {
  const found = document.querySelector<Kind>(`#${id}`);
  if (!found) throw new Error(`The page has no #${id}.`);
  return found;
};

const form = element<HTMLFormElement>('lookup');
const identifier = element<HTMLInputElement>('identifier');
const submit = element<HTMLButtonElement>('look-up');
const result = element('result');
const command = element('command');

const key = connectKeyField();

/** Ten letters or digits are an ASIN. Any other input is sent as an EAN, and the service reports what is wrong with it. */
function pathOf(typed: string): string {
  const compact = typed.replaceAll(/[\s-]/g, '');
  const name = /^[0-9a-z]{10}$/i.test(compact) ? 'asin' : 'ean';
  return `/api/v1/lookup?${new URLSearchParams({ [name]: compact })}`;
}

// Without the key, because copied commands are often shared.
identifier.addEventListener('input', () => {
  const url = `${command.dataset.address}${pathOf(identifier.value)}`;
  command.textContent = `curl -H "x-api-key: $KEY" '${url}'`;
});

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  submit.disabled = true;
  result.setAttribute('aria-busy', 'true');
  render(await lookUp(pathOf(identifier.value)), result);
  result.removeAttribute('aria-busy');
  submit.disabled = false;
});

async function lookUp(path: string) {
  try {
    const response = await fetch(path, { headers: { 'x-api-key': key.value.trim() }, cache: 'no-store' });
    const body: unknown = await response.json();
    if (!response.ok) return <Refused problem={body as ProblemDocument} />;
    const left = Number(response.headers.get('x-quota-remaining') ?? Number.NaN);
    return <Found answer={body as Answer} left={left} />;
  } catch {
    // No response, or one from a proxy in between.
    const detail = 'The service could not be reached. Check your connection and try again.';
    return <Refused problem={{ title: 'No response', detail }} />;
  }
}
