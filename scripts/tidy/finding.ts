/** A breach of a house rule, with its correction. */
export interface Finding {
  readonly path: string;
  /** The first line is 1. */
  readonly line: number;
  readonly rule: string;
  readonly cure: string;
  /** The ceiling of the ratchet that is too high, with a sufficient one; 0 for none. */
  readonly lower?: { readonly key: string; readonly to: number };
}

/** A finding as one line: `path:line rule - what to do`. */
export function describeFinding({ path, line, rule, cure }: Finding): string {
  return `${path}:${line} ${rule} - ${cure}`;
}
