import type { Scenario } from '../rounds/scenario.ts';

/** Only the plain scenarios, which show most, measure other gateways. */
export function isForOthers(scenario: Scenario): boolean {
  const { pace, prompt, upstreamMs, hasIdempotencyKeys, isUpstreamTls } = scenario;
  if (prompt !== 'short' || upstreamMs > 0 || hasIdempotencyKeys || isUpstreamTls) return false;
  return pace.kind === 'open' || pace.connections > 1;
}
