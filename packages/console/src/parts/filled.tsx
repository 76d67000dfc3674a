import { useId } from 'preact/hooks';
import type { FormField } from '../data/operations.ts';

interface FilledProps {
  readonly field: FormField;
  readonly value: string;
  readonly set: (value: string) => void;
}

export function Filled({ field, value, set }: FilledProps) {
  const { name, label, hint, options, isOptional, maxLength = 300 } = field;
  const id = useId();
  const common = { id, name, value, 'aria-describedby': hint && `${id}-hint` };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {options === undefined ? (
        <input
          {...common}
          type="text"
          autocomplete="off"
          spellcheck={false}
          maxLength={maxLength}
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
      {hint !== undefined && <small id={`${id}-hint`}>{hint}</small>}
    </div>
  );
}
