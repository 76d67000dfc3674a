/** ADR 0010. */
export const unpricedPolicies = ['dearest', 'refuse', 'free'] as const;

/**
 * `dearest`: held and booked at the dearest known rates, as an estimate; `refuse`:
 * MODEL_NOT_PRICED; `free`: counts as nothing.
 */
export type UnpricedPolicy = (typeof unpricedPolicies)[number];

/** By the words of files, options and requests; stores and responses have the policy. */
export const unpricedWords = {
  highest: 'dearest',
  dearest: 'dearest',
  refuse: 'refuse',
  free: 'free',
} as const satisfies Readonly<Record<string, UnpricedPolicy>>;

/** The common word first: messages, help and schema list them in this order. */
export const unpricedWordList = ['highest', ...unpricedPolicies] as const;
