import type { Log } from '../lib/log.ts';

export interface UnpricedModel {
  readonly model: string;
  readonly app: string;
  readonly platform: string;
  readonly hasRates: boolean;
}

/** Limits the warnings; this many missing prices indicate no accident. */
const modelsMax = 200;

export function createUnpricedWarnings(log: Log): (unpriced: UnpricedModel) => void {
  const warned = new Set<string>();
  return ({ model, app, platform, hasRates }) => {
    if (warned.has(model) || warned.size >= modelsMax) return;
    warned.add(model);
    const how = hasRates ? 'the highest rates of its vendor' : '$0';
    const row = `{ id: ${JSON.stringify(model)}, platform: ${platform}, inputUsdPerMillion: "…", outputUsdPerMillion: "…" }`;
    log.warn(
      { model, app, row },
      `model has no price; its calls are booked at ${how}; fill in the prices in the field "row", and add that row to models`,
    );
  };
}
