import { createUsageReader } from '../../../src/platforms/evidence/read-usage.ts';
import { usageLines } from '../../../src/platforms/evidence/usage-tree.ts';
import { type CostLine, costLines } from '../../../src/platforms/statements/costs.ts';
import { type Cases, testRemoval } from './removal.ts';

type Json = Readonly<Record<string, unknown>>;

/** Of $0.0042. */
const reported = (name: string) => ({ picoUsd: 4_200_000_000n, name: `usage.${name}` });

const cases: Cases<Json> = {
  cost: [{ cost: 0.0042 }, reported('cost')],
  'cost_details.upstream_inference_cost': [
    { is_byok: true, cost: 0.0002, cost_details: { upstream_inference_cost: 0.004 } },
    reported('cost'),
  ],
  'cost.total_cost': [
    { cost: { request_cost: 0.004, total_cost: 0.0042 } },
    reported('cost.total_cost'),
  ],
  cost_in_usd_ticks: [{ cost_in_usd_ticks: 42_000_000 }, reported('cost_in_usd_ticks')],
  estimated_cost: [{ estimated_cost: 0.0042 }, reported('estimated_cost')],
  cost_usd_total: [{ cost_usd_total: 0.0042 }, reported('cost_usd_total')],
};

testRemoval<CostLine, Json>({
  lines: costLines,
  nameOf: ({ path }) => path,
  cases,
  read: (costs, usage) =>
    createUsageReader({ ...usageLines, costs }).readUsage({ usage }).reportedCost,
});
