interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly set: (value: string) => void;
}

/** For filters: the label is inside the field. */
export function SearchField({ label, value, set }: FieldProps) {
  return (
    <label class="seek">
      <span class="hide">{label}</span>
      <input
        type="search"
        value={value}
        placeholder={label}
        title={label}
        autocomplete="off"
        spellcheck={false}
        onChange={({ currentTarget }) => set(currentTarget.value.trim())}
      />
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
