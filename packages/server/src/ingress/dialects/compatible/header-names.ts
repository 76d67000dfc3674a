/** In addition to the contract's headers. */
export const compatibleHeaders = {
  /** The user who pays; overrides the body. */
  userId: 'x-user-id',
  /** The gateway's code, whatever the protocol's. */
  errorCode: 'x-error-code',
  /** On every 401. */
  challenge: 'www-authenticate',
  /** As asked of the model. */
  maxTokensApplied: 'x-max-tokens-applied',
  /** `true` or `false`, with the cost. */
  costEstimated: 'x-cost-estimated',
  /** Where `finish_reason` has no word for it. */
  finishReason: 'x-finish-reason',
  /** Not sent to the model. */
  droppedFields: 'x-dropped-fields',
} as const;
