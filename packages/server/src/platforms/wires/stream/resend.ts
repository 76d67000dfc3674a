import { type Send, type SendResponse, unusableAnswer } from '../../http/transport.ts';
import type { AttemptStream } from '../../model/port.ts';

/** Replays a collected body to a stream reader; sends nothing. */
export function resending({ status, headers, body }: SendResponse): Send {
  const head = { status, headers };
  return ({ openReader }) => {
    const reading = openReader?.(head, noFlow)?.read(body);
    const isTaken = reading === undefined || reading === 'end' || reading === 'collect';
    const empty = { ...head, body: Buffer.alloc(0) };
    return Promise.resolve(isTaken ? empty : unusableAnswer(head, reading));
  };
}

export const silent: AttemptStream = {
  onDelta: () => undefined,
  onEvent: () => undefined,
  onFlow: () => undefined,
};

const noFlow = { pause: () => undefined, resume: () => undefined };
