/** The fields of a form, with the values that were sent and what is wrong with them. */
import type { ComponentChildren } from 'preact';
import type { Fields } from './fields.ts';

/** A form that is shown: again with what was sent, if a field was wrong. */
export interface Shown {
  /** Distinguishes the ids of its fields from those of other forms on the page. */
  form: string;
  values: Fields;
  /** What is wrong, by the name of the field. */
  errors?: ReadonlyMap<string, string>;
}

interface FieldProps {
  shown: Shown;
  name: string;
  label: string;
  hint?: ComponentChildren;
}

interface InputProps extends FieldProps {
  type?: 'text' | 'date';
  inputMode?: 'numeric' | 'decimal';
  maxLength?: number;
  required?: boolean;
}

/** A field to type into. */
export function InputField({ shown, name, label, hint, type = 'text', ...more }: InputProps) {
  const { id, described } = names(shown, name, hint);
  const all = {
    id,
    name,
    value: shown.values.get(name) ?? '',
    'aria-invalid': shown.errors?.has(name) ? 'true' : undefined,
    'aria-describedby': described,
    ...more,
  } as const;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {type === 'date' ? <input type="date" {...all} /> : <input type="text" dir="auto" autocomplete="off" {...all} />}
      <Below shown={shown} name={name} hint={hint} />
    </div>
  );
}

/** A field for several lines, such as a header on each. */
export function LinesField({ shown, name, label, hint, rows = 3 }: FieldProps & { rows?: number }) {
  const { id, described } = names(shown, name, hint);
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <textarea
        id={id}
        name={name}
        rows={rows}
        dir="auto"
        autocomplete="off"
        spellcheck={false}
        aria-invalid={shown.errors?.has(name) ? 'true' : undefined}
        aria-describedby={described}
      >
        {shown.values.get(name) ?? ''}
      </textarea>
      <Below shown={shown} name={name} hint={hint} />
    </div>
  );
}

/** A field to choose from a list. */
export function SelectField({ shown, name, label, hint, options }: FieldProps & { options: readonly Option[] }) {
  const { id, described } = names(shown, name, hint);
  const chosen = shown.values.get(name) ?? '';
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        name={name}
        aria-invalid={shown.errors?.has(name) ? 'true' : undefined}
        aria-describedby={described}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value} selected={option.value === chosen} dir="auto">
            {option.words}
          </option>
        ))}
      </select>
      <Below shown={shown} name={name} hint={hint} />
    </div>
  );
}

export interface Option {
  value: string;
  words: string;
}

/** A box to tick, such as to confirm that something cannot be undone. */
export function CheckField({ shown, name, label, hint }: FieldProps) {
  const { id, described } = names(shown, name, hint);
  return (
    <div class="field">
      <label class="check" for={id}>
        <input
          id={id}
          name={name}
          type="checkbox"
          value="yes"
          checked={shown.values.get(name) === 'yes'}
          aria-invalid={shown.errors?.has(name) ? 'true' : undefined}
          aria-describedby={described}
        />{' '}
        {label}
      </label>
      <Below shown={shown} name={name} hint={hint} />
    </div>
  );
}

function Below({ shown, name, hint }: Pick<FieldProps, 'shown' | 'name' | 'hint'>) {
  const { id } = names(shown, name, hint);
  const error = shown.errors?.get(name);
  return (
    <>
      {error !== undefined && (
        <p class="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </>
  );
}

function names({ form, errors }: Shown, name: string, hint: ComponentChildren) {
  const id = `${form}-${name}`;
  const described = [errors?.has(name) && `${id}-error`, hint !== undefined && `${id}-hint`].filter(Boolean).join(' ');
  return { id, described: described || undefined };
}
