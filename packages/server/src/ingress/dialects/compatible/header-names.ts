/** Headers that the compatible routes have beside those of the contract. */
export const compatibleHeaders = {
  /** Whose wallet pays, before whatever the body says. */
  userId: 'x-user-id',
  /** Ours, whatever the protocol calls it. */
  errorCode: 'x-error-code',
  /** How to authenticate, on every 401. */
  challenge: 'www-authenticate',
  /** The most tokens that the model was asked for. */
  maxTokensApplied: 'x-max-tokens-applied',
  /** `true` or `false`, beside the cost. */
  costEstimated: 'x-cost-estimated',
  /** The platform's word for the end of a completion, where `finish_reason` has none for it. */
  finishReason: 'x-finish-reason',
  /** Fields of the request that were not sent. */
  droppedFields: 'x-dropped-fields',
} as const;
