import { useId } from 'preact/hooks';

/** One thing to fill in. */
export interface Wanted {
  readonly name: string;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly value?: string | undefined;
  readonly options?: readonly (readonly [value: string, text: string])[] | undefined;
  /** May stay empty. */
  readonly isOptional?: boolean | undefined;
}

interface FilledProps {
  readonly field: Wanted;
  readonly value: string;
  readonly set: (value: string) => void;
}

/** A field with its label and its hint. */
export function Filled({ field, value, set }: FilledProps) {
  const { name, label, hint, options, isOptional } = field;
  const id = useId();
  const common = { id, name, value, 'aria-describedby': `${id}-hint` };
  return (
    <p class="field">
      <label for={id}>{label}</label>
      {options === undefined ? (
        <input
          {...common}
          type="text"
          autocomplete="off"
          spellcheck={false}
          maxLength={name === 'reason' ? 200 : 300}
          required={isOptional !== true}
          onInput={({ currentTarget }) => set(currentTarget.value)}
        />
      ) : (
        <select {...common} onChange={({ currentTarget }) => set(currentTarget.value)}>
          {options.map(([option, text]) => (
            <option key={option} value={option} selected={option === value}>
              {text}
            </option>
          ))}
        </select>
      )}
      <small id={`${id}-hint`}>{hint}</small>
    </p>
  );
}
