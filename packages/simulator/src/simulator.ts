import { createApp, type SimulatorApp, type SimulatorOptions } from './app.ts';
import type { Bill } from './bill.ts';
import { connectionReset, type Reply, type StreamBody } from './lib/wire.ts';
import type { Project } from './projects.ts';

export interface Simulator {
  /**
   * Rejects when `request.signal` aborts, and with code `ECONNRESET` where a socket would die; an
   * abandoned call is still billed.
   */
  fetch(request: Request): Promise<Response>;
  bill(): Bill;
  /** Created if missing. Throws for an invalid name. */
  createProject(name: string): Project;
}

export function createSimulator(options: SimulatorOptions): Simulator {
  return simulatorOf(createApp(options));
}

export function simulatorOf(app: SimulatorApp): Simulator {
  const { bill, createProject } = app;
  return { fetch, bill, createProject };

  async function fetch(request: Request): Promise<Response> {
    const { url, method, headers, signal } = request;
    const bodyText = await request.text();
    signal.throwIfAborted();
    const pathStart = url.indexOf('/', url.indexOf('//') + 2);
    const [path = '', query = ''] = url.slice(pathStart).split('?');
    const reply = app.answer({
      requestId: app.nextRequestId(),
      method,
      path,
      query,
      bodyText,
      bodyBytes: Buffer.byteLength(bodyText),
      header: (name) => headers.get(name) ?? undefined,
    });
    return toResponse(reply instanceof Promise ? await untilAborted(reply, signal) : reply, signal);
  }
}

/** The model does not stop when the client disconnects: its response is billed and dropped. */
function untilAborted(reply: Promise<Reply>, signal: AbortSignal): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      reject(signal.reason);
      reply.then(({ stream }) => stream?.abandon(), reject);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    reply.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

function toResponse(reply: Reply, signal: AbortSignal): Response {
  const { status, headers, body, stream, fault, onAnswered } = reply;
  if (stream !== undefined) return new Response(streamOf(stream, signal), { status, headers });
  if (fault === 'reset') throw connectionReset();
  if (fault === 'reset-mid-body') return new Response(halfOf(body), { status, headers });
  onAnswered?.();
  // An empty string would add a content type.
  return new Response(body === '' ? null : body, { status, headers });
}

function halfOf(body: string): ReadableStream<Uint8Array> {
  const bytes = Buffer.from(body);
  let isStarted = false;
  return new ReadableStream({
    pull(controller) {
      if (isStarted) controller.error(connectionReset());
      else controller.enqueue(new Uint8Array(bytes.subarray(0, bytes.length / 2)));
      isStarted = true;
    },
  });
}

/** One piece ahead of its reader; errors where a socket would die, and when `signal` aborts. */
function streamOf(body: StreamBody, signal: AbortSignal): ReadableStream<Uint8Array> {
  let onAccepted: (() => void) | undefined;
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
          onAccepted = then;
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
      const next = onAccepted;
      onAccepted = undefined;
      next?.();
    },
    cancel() {
      stopListening();
      leave();
    },
  });
}
