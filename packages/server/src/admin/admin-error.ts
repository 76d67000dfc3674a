/** An operator's wish that cannot be granted: what is wrong, and what to do. */
export class AdminError extends Error {
  override readonly name = 'AdminError';
  /** True when the value is wrong whatever the store holds: wrong usage, not a refusal. */
  readonly isBadValue: boolean;
  constructor(message: string, options: { readonly isBadValue?: boolean } = {}) {
    super(message);
    this.isBadValue = options.isBadValue === true;
  }
}
