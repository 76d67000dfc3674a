import type { CallError } from '../../../calls/model/call-error.ts';
import type { CallResult, DoneCall, RelayedCall } from '../../../calls/model/result.ts';
import type { Answer } from '../../exchange/answer.ts';
import type { StreamDialect } from '../../exchange/dialect.ts';
import { moneyHeaders } from '../compatible/money-headers.ts';

const headers = {
  'content-type': 'text/event-stream; charset=utf-8',
  'x-accel-buffering': 'no',
} as const;

/** Relays events, but delays the last one until settlement. */
export function relayedEvents(errorEvent: (error: CallError) => string): StreamDialect {
  return {
    request: () => ({ after: 0 }),
    headersOf: ({ isReplayed }) =>
      isReplayed ? { ...headers, 'idempotent-replayed': 'true' } : headers,
    comment: ': keep-alive\n\n',
    start: () => '',
    delta: (text) => text,
    end: (result: CallResult) =>
      result.kind === 'failed' ? errorEvent(result.error) : lastOf(result),
    whole: (result) => ({
      ...encodeRelayed(result),
      headers: { ...moneyHeaders(result), ...headers },
    }),
  };
}

export function encodeRelayed(result: DoneCall | RelayedCall): Answer {
  const body = result.kind === 'relayed' ? result.body : messageOf(result).body;
  return { status: 200, body, headers: moneyHeaders(result) };
}

function lastOf(result: DoneCall | RelayedCall): string {
  return result.kind === 'relayed' ? '' : messageOf(result).last;
}

function messageOf({ output }: DoneCall) {
  return output.kind === 'message' ? output : { body: '', last: '' };
}
