import type { Log } from '../lib/log.ts';

/** A model without a price, of which a call used tokens or cost something. */
export interface UnpricedModel {
  readonly model: string;
  readonly app: string;
  readonly platform: string;
  /** Whether the highest known rates apply. */
  readonly hasRates: boolean;
}

/** Models that a process warns of; a configuration without so many prices is no accident. */
const modelsMax = 200;

/** Logs how calls of a model without a price are booked, once for each model. */
export function createUnpricedWarnings(log: Log): (unpriced: UnpricedModel) => void {
  const warned = new Set<string>();
  return ({ model, app, platform, hasRates }) => {
    if (warned.has(model) || warned.size >= modelsMax) return;
    warned.add(model);
    const how = hasRates ? 'the highest rates of its vendor' : 'nothing';
    const row = `{ id: ${JSON.stringify(model)}, platform: ${platform}, inputUsdPerMillion: "…", outputUsdPerMillion: "…" }`;
    log.warn({ model, app, row }, `calls of this model count as ${how}: add this row to models`);
  };
}
