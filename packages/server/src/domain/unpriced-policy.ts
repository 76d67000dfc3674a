/** ADR 0010. */
export const unpricedPolicies = ['dearest', 'refuse', 'free'] as const;

/**
 * `dearest`: reserved and booked at the highest known rates, as an estimate; `refuse`:
 * MODEL_NOT_PRICED; `free`: counts as nothing.
 */
export type UnpricedPolicy = (typeof unpricedPolicies)[number];

/** The words in files, options and requests; stores and responses contain the policy. */
export const unpricedWords = {
  highest: 'dearest',
  dearest: 'dearest',
  refuse: 'refuse',
  free: 'free',
} as const satisfies Readonly<Record<string, UnpricedPolicy>>;

/** The preferred word comes first: messages, help and schema list the words in this order. */
export const unpricedWordList = ['highest', ...unpricedPolicies] as const;
