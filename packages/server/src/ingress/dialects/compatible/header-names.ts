export const compatibleHeaders = {
  /** The user who pays; overrides the body. */
  userId: 'x-user-id',
  errorCode: 'x-error-code',
  challenge: 'www-authenticate',
  maxTokensApplied: 'x-max-tokens-applied',
  costEstimated: 'x-cost-estimated',
  finishReason: 'x-finish-reason',
  droppedFields: 'x-dropped-fields',
} as const;
