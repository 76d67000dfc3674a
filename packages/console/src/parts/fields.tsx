interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly set: (value: string) => void;
}

export function TextField({ label, value, set }: FieldProps) {
  return (
    <label>
      {label}
      <input
        type="text"
        value={value}
        autocomplete="off"
        spellcheck={false}
        onChange={({ currentTarget }) => set(currentTarget.value.trim())}
      />
    </label>
  );
}

interface ChoiceProps extends FieldProps {
  readonly options: readonly (readonly [value: string, label: string])[];
}

export function ChoiceField({ label, value, set, options }: ChoiceProps) {
  return (
    <label>
      {label}
      <select value={value} onChange={({ currentTarget }) => set(currentTarget.value)}>
        {options.map(([option, text]) => (
          <option key={option} value={option} selected={option === value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

export function CheckField({
  label,
  value,
  set,
}: Omit<FieldProps, 'value' | 'set'> & {
  readonly value: boolean;
  readonly set: (value: boolean) => void;
}) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={value}
        onChange={({ currentTarget }) => set(currentTarget.checked)}
      />
      {label}
    </label>
  );
}
