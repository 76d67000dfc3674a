import { connectionReset, type StreamBody } from '../wire.ts';

/** One piece ahead of its reader; errs where a socket would die, and when `signal` aborts. */
export function streamOf(body: StreamBody, signal: AbortSignal): ReadableStream<Uint8Array> {
  let onTaken: (() => void) | undefined;
  let leave = () => {};
  const stopListening = () => signal.removeEventListener('abort', onAbort);
  let onAbort = () => {};
  return new ReadableStream({
    start(controller) {
      onAbort = () => {
        leave();
        controller.error(signal.reason);
      };
      signal.addEventListener('abort', onAbort, { once: true });
      ({ leave } = body.start({
        write(piece, then) {
          onTaken = then;
          controller.enqueue(new Uint8Array(piece));
        },
        end(onSent) {
          stopListening();
          controller.close();
          onSent?.();
        },
        reset() {
          stopListening();
          controller.error(connectionReset());
        },
      }));
    },
    pull() {
      const next = onTaken;
      onTaken = undefined;
      next?.();
    },
    cancel() {
      stopListening();
      leave();
    },
  });
}
