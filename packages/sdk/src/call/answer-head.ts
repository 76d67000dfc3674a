import { isUsd } from '../lib/usd.ts';

/** What the headers of an answer say of it, and of the call that it is of. */
export interface AnswerHead {
  /** The gateway's id of the request. */
  readonly gatewayRequestId: string | undefined;
  /** The gateway's id of the call; absent where no call was admitted. */
  readonly callId: string | undefined;
  /** What is booked for a call that failed, in USD. */
  readonly costUsd: string | undefined;
  /** Which budget has refused a call. */
  readonly budgetScope: string | undefined;
  /** True when the answer was made for an earlier or running request with the same key. */
  readonly replayed: boolean;
}

/** Reads the head of an answer. */
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
