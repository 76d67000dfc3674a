/** Everything that can happen to a call of a model without a price. ADR 0010. */
export const unpricedPolicies = ['dearest', 'refuse', 'free'] as const;

/**
 * `dearest`: it is held and booked at the dearest rates that are known, as an estimate;
 * `refuse`: it is MODEL_NOT_PRICED; `free`: it counts as nothing.
 */
export type UnpricedPolicy = (typeof unpricedPolicies)[number];
