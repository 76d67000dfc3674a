/** ADR 0010. */
export const unpricedPolicies = ['dearest', 'refuse', 'free'] as const;

/**
 * `dearest`: held and booked at the dearest known rates, as an estimate; `refuse`:
 * MODEL_NOT_PRICED; `free`: counts as nothing.
 */
export type UnpricedPolicy = (typeof unpricedPolicies)[number];
