interface ShareProps {
  /** In tenths of a percent. */
  readonly permille: number;
  readonly color: string;
}

/** A part of a whole, as a bar and in text. */
export function ShareBar({ permille, color }: ShareProps) {
  const text = `${(permille / 10).toFixed(1)}%`;
  return (
    <span class="used">
      <svg class="bar" role="img" aria-label={`${text} of the total`}>
        <rect
          class={color}
          width={`${Math.max(0.6, Math.min(100, permille / 10))}%`}
          height="100%"
          rx="4"
        />
      </svg>
      <span>{text}</span>
    </span>
  );
}
