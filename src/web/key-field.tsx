/** The field for the API key with its checkbox. client/parts/kept-key.ts keeps the key in the browser, and never in a URL. */
export function KeyField({ hint, value }: { hint: string; value?: string | undefined }) {
  return (
    <div class="field key-field">
      <label for="key">Your key</label>
      <input
        id="key"
        type="password"
        value={value}
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
        required
        placeholder="pda_…"
        aria-describedby="key-hint"
      />
      <label class="check">
        <input id="keep-key" type="checkbox" /> Keep it in this browser
      </label>
      <p class="hint" id="key-hint">
        {hint}
      </p>
    </div>
  );
}
