/** Adds a copy button to each code block with `data-copy`. */

const SHOWN_MS = 2_000;

for (const code of document.querySelectorAll<HTMLPreElement>('pre[data-copy]')) {
  const frame = document.createElement('div');
  frame.className = 'copyable';
  code.replaceWith(frame);
  frame.append(code, makeButton(code));
}

function makeButton(code: HTMLPreElement): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'button quiet copy';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    button.textContent = (await copy(code)) ? 'Copied' : 'Press Ctrl+C';
    setTimeout(() => {
      button.textContent = 'Copy';
    }, SHOWN_MS);
  });
  return button;
}

/** Copies the code, or selects it for the user to copy if the browser refuses (no clipboard without HTTPS). */
async function copy(code: HTMLPreElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(code.textContent ?? '');
    return true;
  } catch {
    getSelection()?.selectAllChildren(code);
    return false;
  }
}
