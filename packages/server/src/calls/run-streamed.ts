import type { CallFields } from '@model-gateway/contract';
import { finishCall } from './execute.ts';
import type { ReservedCall } from './model/call.ts';
import type { LiveCall } from './model/live-call.ts';
import { type CallResult, failed } from './model/result.ts';
import type { RunParts } from './parts.ts';
import { createDrain } from './running/drain.ts';
import { beginCall, isLeftOf } from './running/running-call.ts';
import { createStream } from './stream/create-stream.ts';

/** Live from its first delta on; an earlier failure is only a result. The money must be held. */
export function runStreamed<Request extends CallFields>(
  parts: RunParts,
  call: ReservedCall<Request>,
): Promise<CallResult | LiveCall> {
  const { context, facts } = call;
  const running = beginCall(parts, call);
  const { promise: final, resolve: start } = Promise.withResolvers<CallResult>();
  const drain = createDrain(parts, call, running, final);
  const stream = createStream(parts, call, running, drain);
  running.stream = stream;
  if (facts.keyHash !== undefined) {
    parts.replays.register(facts.callId, { final, stream, isLeft: isLeftOf(call, running) });
  }
  start(finishCall(parts, call, running));
  return new Promise((resolve, reject) => {
    const { log } = context;
    void stream.begun.then(() => resolve(stream.live({ isReplayed: false, after: 0, log })));
    final.then(
      (result) => {
        stream.end(result);
        resolve(result);
      },
      (error) => {
        stream.fail(error);
        reject(error);
      },
    );
    running.early.onFire((error) => {
      drain.begin();
      resolve(failed(error));
    });
  });
}
