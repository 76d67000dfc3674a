/** Headers that the compatible routes have beside those of the contract. */
export const compatibleHeaders = {
  /** Ours, whatever the protocol calls it. */
  errorCode: 'x-error-code',
} as const;
