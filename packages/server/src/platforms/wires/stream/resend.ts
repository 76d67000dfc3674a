import { type Send, type SendResponse, unusableAnswer } from '../../http/transport.ts';
import type { AttemptStream } from '../../model/port.ts';

/** Gives a body that was collected to who reads it as it comes; nothing is sent. */
export function resending({ status, headers, body }: SendResponse): Send {
  const head = { status, headers };
  return ({ openReader }) => {
    const reading = openReader?.(head, noFlow)?.read(body);
    const isTaken = reading === undefined || reading === 'end' || reading === 'collect';
    const empty = { ...head, body: Buffer.alloc(0) };
    return Promise.resolve(isTaken ? empty : unusableAnswer(head, reading));
  };
}

/** Follows an answer that silent is told of before it is whole. */
export const silent: AttemptStream = {
  onDelta: () => undefined,
  onEvent: () => undefined,
  onFlow: () => undefined,
};

const noFlow = { pause: () => undefined, resume: () => undefined };
