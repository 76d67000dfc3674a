interface SegmentsProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, text: string])[];
  readonly set: (value: string) => void;
}

/** A choice between a few options. */
export function Segments({ label, value, options, set }: SegmentsProps) {
  return (
    <fieldset class="segments" aria-label={label}>
      {options.map(([option, text]) => (
        <button
          key={option}
          type="button"
          aria-pressed={option === value}
          onClick={() => set(option)}
        >
          {text}
        </button>
      ))}
    </fieldset>
  );
}
