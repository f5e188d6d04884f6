/** The forms of a detachment: what to detach, and the confirmation. */
import type { Identifier } from '../../../import/identifier-name.ts';
import { printable } from '../../../values/printable.ts';
import { InputField, SelectField, type Shown } from '../../forms/field.tsx';
import type { Fields } from '../../forms/fields.ts';
import { TokenField } from '../../forms/token-field.tsx';
import { productPath } from './paths.ts';

interface DetachProps {
  id: string;
  token: string;
  identifier: Identifier;
  /** The shops that claim it, for the product or for another one. */
  claimants: readonly string[];
  values: Fields;
}

/** Leads to the preview. */
export function DetachForm({ id, token, identifier: { kind, value }, claimants, values }: DetachProps) {
  const shown: Shown = { form: 'detach', values };
  return (
    <form class="card stacked" method="post" action={`${productPath(id)}/detach`}>
      <TokenField token={token} />
      <input type="hidden" name="step" value="preview" />
      <input type="hidden" name="identifier" value={value} />
      <p>
        {kind.toUpperCase()} <strong>{value}</strong>. Later imports do not undo a detachment. Recorded prices stay with
        this product.
      </p>
      <SelectField
        shown={shown}
        name="merchant"
        label="Whose claim is void"
        options={[
          { value: '', words: 'All: it does not belong to this product' },
          ...claimants.map((name) => ({ value: name, words: `Only that of ${printable(name)}` })),
        ]}
      />
      <InputField
        shown={shown}
        name="to"
        label="Product that it, or the shop's offers, belong to"
        hint="A GTIN, ASIN, slug or id. Leave it empty to let the shops' other claims decide."
      />
      <div class="actions">
        <button class="button" type="submit">
          Preview
        </button>
        <a class="button quiet" href={productPath(id)}>
          Cancel
        </a>
      </div>
    </form>
  );
}

/** Does what the preview shows. */
export function ConfirmForm({ id, token, values }: { id: string; token: string; values: Fields }) {
  return (
    <form class="card stacked" method="post" action={`${productPath(id)}/detach`}>
      <TokenField token={token} />
      <input type="hidden" name="step" value="detach" />
      {['identifier', 'merchant', 'to'].map((name) => (
        <input key={name} type="hidden" name={name} value={values.get(name) ?? ''} />
      ))}
      <p>Nothing has been changed yet.</p>
      <div class="actions">
        <button class="button ending" type="submit">
          Detach
        </button>
        <a class="button quiet" href={productPath(id)}>
          Cancel
        </a>
      </div>
    </form>
  );
}
