import { headerNames } from '@model-gateway/contract';
import type { DoneCall, RelayedCall } from '../../../calls/model/result.ts';
import { compatibleHeaders } from './header-names.ts';

export function moneyHeaders(result: DoneCall | RelayedCall): Record<string, string> {
  const headers: Record<string, string> = {};
  if (result.isReplayed) headers[headerNames.idempotentReplayed] = 'true';
  if (result.kind === 'relayed') return headers;
  const { usd, estimated } = result.cost;
  if (usd !== null) headers[headerNames.costUsd] = usd;
  headers[compatibleHeaders.costEstimated] = String(estimated);
  return headers;
}
