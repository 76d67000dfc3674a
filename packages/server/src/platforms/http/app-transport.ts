import { type AwaitableFlow, createAwaitableFlow } from './flow.ts';
import {
  type AnswerHead,
  answerBytesMax,
  type ByteReader,
  codeOf,
  type Refusal,
  refusalOfHead,
  refusalOfShape,
  refusals,
  requestIdOf,
  type SendOutcome,
  type SendRequest,
  type Transport,
  type TransportFailure,
  unusableAnswer,
} from './transport.ts';

export type AppFetch = (request: Request) => Promise<Response>;

/** For apps without sockets. An error of the app counts as lost after sending. */
export function createAppTransport(parts: {
  readonly baseUrl: string;
  readonly fetch: AppFetch;
}): Transport {
  const baseUrl = parts.baseUrl.replace(/(?<!\/)\/+$/, '');
  return { send, close: () => Promise.resolve() };

  async function send(request: SendRequest): Promise<SendOutcome> {
    const { signal } = request;
    const bytesMax = request.answerBytesMax ?? answerBytesMax;
    let head: AnswerHead | undefined;
    let wasSent = false;
    try {
      signal.throwIfAborted();
      const appRequest = requestOf(baseUrl, request);
      wasSent = true;
      const response = await untilAborted(parts.fetch(appRequest), signal);
      head = { status: response.status, headers: Object.fromEntries(response.headers) };
      if (request.requestIdHolder !== undefined)
        request.requestIdHolder.requestId = requestIdOf(head.headers);
      const refusal = refusalOfHead(head.headers, bytesMax);
      if (refusal !== undefined) return unusableAnswer(head, refusal);
      const flow = createAwaitableFlow();
      const reader = request.openReader?.(head, flow);
      if (reader !== undefined) {
        return await stream(head, response, { reader, flow, signal }, bytesMax);
      }
      const body = Buffer.from(await untilAborted(response.arrayBuffer(), signal));
      return whole(head, body, bytesMax);
    } catch (error) {
      return failureOf(error, { isAborted: signal.aborted, wasSent, answer: head });
    }
  }
}

interface StreamSource {
  readonly reader: ByteReader;
  readonly flow: AwaitableFlow;
  readonly signal: AbortSignal;
}

/** Requests bytes from the app only after the previous ones were read. */
async function stream(
  head: AnswerHead,
  { body }: Response,
  { reader, flow, signal }: StreamSource,
  bytesMax: number,
): Promise<SendOutcome> {
  const read = { ...head, body: Buffer.alloc(0) };
  if (body === null) return read;
  const bytes = body.getReader();
  let collected: Buffer[] | undefined;
  try {
    while (true) {
      await untilAborted(flow.opened(), signal);
      const { done, value } = await untilAborted(bytes.read(), signal);
      if (done) return collected ? whole(head, Buffer.concat(collected), bytesMax) : read;
      const piece = Buffer.from(value);
      const result = collected === undefined ? reader.read(piece) : 'collect';
      signal.throwIfAborted();
      if (result === 'end') return read;
      if (result === 'collect') {
        collected ??= [];
        collected.push(piece);
      } else if (result !== undefined) return unusableAnswer(head, result);
    }
  } finally {
    // The response is complete: whether the rest could be canceled changes nothing.
    bytes.cancel().catch(() => undefined);
  }
}

function requestOf(baseUrl: string, { path, method, headers, body, signal }: SendRequest): Request {
  const parts = { method, headers, signal };
  return new Request(baseUrl + path, body === '' ? parts : { ...parts, body });
}

/** Does not wait for an app that ignores the signal; a platform may do the same. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

function whole(head: AnswerHead, body: Buffer, bytesMax: number): SendOutcome {
  const wrong = refusalOfBody(head, body, bytesMax);
  return wrong === undefined ? { ...head, body } : unusableAnswer(head, wrong);
}

function refusalOfBody(
  { headers }: AnswerHead,
  body: Buffer,
  bytesMax: number,
): Refusal | undefined {
  if (body.length > bytesMax) return refusals.tooLarge;
  const contentLength = headers['content-length'];
  const isWhole = contentLength === undefined || Number(contentLength) === body.length;
  return isWhole ? refusalOfShape(body) : refusals.wrongLength;
}

function failureOf(
  error: unknown,
  facts: { isAborted: boolean; wasSent: boolean; answer: AnswerHead | undefined },
): TransportFailure {
  const { isAborted, wasSent, answer } = facts;
  const kind = isAborted ? 'aborted' : 'lost';
  const causeCode = isAborted ? 'ABORTED' : (codeOf(error) ?? 'APP_FAILED');
  const message = !isAborted && error instanceof Error ? error.message : 'the call was canceled';
  return { kind, wasSent, causeCode, message, answer };
}
