import type { Statement } from './statement.ts';
import { vendors } from './vendors.ts';

export interface CostLine extends Statement {
  readonly path: string;
  /** Power of ten in pico-USD: 12 for a dollar. */
  readonly power: number;
  /** The part is added when this `usage` field is true. */
  readonly addedWhere?: string;
}

const usd = { power: 12 } as const;

export const costLines: readonly CostLine[] = [
  { path: 'cost', ...usd, vendor: 'OpenRouter, LiteLLM', source: 'anomalyco/opencode#43818' },
  {
    path: 'cost_details.upstream_inference_cost',
    ...usd,
    addedWhere: 'is_byok',
    ...vendors.openRouter,
  },
  { path: 'cost.total_cost', ...usd, ...vendors.perplexity },
  // A tick is 10^-10 of a dollar.
  { path: 'cost_in_usd_ticks', power: 2, ...vendors.xAi },
  { path: 'estimated_cost', ...usd, ...vendors.deepInfra },
  { path: 'cost_usd_total', ...usd, ...vendors.llmGateway },
];
