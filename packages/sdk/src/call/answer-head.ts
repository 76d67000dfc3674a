import { isUsd } from '../lib/usd.ts';

/** Facts about a response and its call, from the headers. */
export interface AnswerHead {
  /** The gateway's id of the request. */
  readonly gatewayRequestId: string | undefined;
  /** The gateway's id of the call; absent where no call was admitted. */
  readonly callId: string | undefined;
  /** The booked cost of a failed call, in USD. */
  readonly costUsd: string | undefined;
  /** The budget that rejected the call. */
  readonly budgetScope: string | undefined;
  /** True when the response was made for an earlier or running request with the same key. */
  readonly replayed: boolean;
}

export function readHead(headers: Pick<Headers, 'get'>): AnswerHead {
  const costUsd = headers.get('x-cost-usd');
  return {
    gatewayRequestId: headers.get('x-request-id') ?? undefined,
    callId: headers.get('x-call-id') ?? undefined,
    costUsd: isUsd(costUsd) ? costUsd : undefined,
    budgetScope: headers.get('x-budget-scope') ?? undefined,
    replayed: headers.get('idempotent-replayed') === 'true',
  };
}
