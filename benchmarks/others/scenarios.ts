import type { Scenario } from '../rounds/scenario.ts';

/** The scenarios that other gateways are measured in: the plain ones that tell most. */
export function isForOthers(scenario: Scenario): boolean {
  const { pace, prompt, upstreamMs, hasIdempotencyKeys, isUpstreamTls } = scenario;
  if (prompt !== 'short' || upstreamMs > 0 || hasIdempotencyKeys || isUpstreamTls) return false;
  return pace.kind === 'open' || pace.connections > 1;
}
