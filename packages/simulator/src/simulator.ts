import { createApp, type SimulatorApp, type SimulatorOptions } from './app.ts';
import type { Bill } from './bill.ts';
import type { Project } from './projects.ts';
import { streamOf } from './stream/readable.ts';
import { connectionReset, type Reply } from './wire.ts';

/** A model platform in this process. */
export interface Simulator {
  /**
   * Answers like the platform. It rejects when `request.signal` aborts, and with an error of code
   * `ECONNRESET` where a socket would die; a call that was abandoned is still billed.
   */
  fetch(request: Request): Promise<Response>;
  /** What was charged so far. */
  bill(): Bill;
  /** The project of that name, created when missing. Throws when the name is not one. */
  createProject(name: string): Project;
}

/** A simulator that lives on the given clock and touches nothing outside itself. */
export function createSimulator(options: SimulatorOptions): Simulator {
  return simulatorOf(createApp(options));
}

/** The in-process front of a simulator. */
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

/** The client may leave; the model does not stop for it, so its answer is billed and dropped. */
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
  // An empty string would get a content type of its own.
  return new Response(body === '' ? null : body, { status, headers });
}

/** A body that breaks off in its middle. */
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
