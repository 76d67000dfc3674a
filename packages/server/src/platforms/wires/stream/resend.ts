import { type Send, type SendResponse, unusableAnswer } from '../../http/transport.ts';
import type { AttemptStream } from '../../model/port.ts';

/** Replays a collected body to a stream reader; sends nothing. */
export function createReplaySend({ status, headers, body }: SendResponse): Send {
  const head = { status, headers };
  return ({ openReader }) => {
    const result = openReader?.(head, noFlow)?.read(body);
    const isTaken = result === undefined || result === 'end' || result === 'collect';
    const empty = { ...head, body: Buffer.alloc(0) };
    return Promise.resolve(isTaken ? empty : unusableAnswer(head, result));
  };
}

export const silent: AttemptStream = {
  onDelta: () => undefined,
  onEvent: () => undefined,
  onFlow: () => undefined,
};

const noFlow = { pause: () => undefined, resume: () => undefined };
