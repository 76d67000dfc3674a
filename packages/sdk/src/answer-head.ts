import { isUsd } from './usd.ts';

/** What the headers of an answer say of it, and of the call that it is of. */
export interface AnswerHead {
  /** The gateway's id of the request. */
  readonly gatewayRequestId: string | undefined;
  /** The gateway's id of the call; absent where no call was admitted. */
  readonly callId: string | undefined;
  /** What is booked for a call that failed, in USD. */
  readonly costUsd: string | undefined;
  /** True when the answer was made for an earlier or running request with the same key. */
  readonly replayed: boolean;
  /** All of them, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Reads the head of an answer; a replaced fetch may give headers that can be asked for alone. */
export function readHead(headers: Pick<Headers, 'get'> & Partial<Headers>): AnswerHead {
  const costUsd = headers.get('x-cost-usd');
  const all: Record<string, string> = {};
  if (typeof headers.forEach === 'function') {
    headers.forEach((text, name) => {
      all[name.toLowerCase()] = text;
    });
  }
  return {
    gatewayRequestId: headers.get('x-request-id') ?? undefined,
    callId: headers.get('x-call-id') ?? undefined,
    costUsd: isUsd(costUsd) ? costUsd : undefined,
    replayed: headers.get('idempotent-replayed') === 'true',
    headers: all,
  };
}
