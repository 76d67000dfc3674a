import { isRecord, parseJson } from '../../lib/json-value.ts';
import { largeBytes } from '../../lib/work.ts';
import { readStatement } from '../evidence/evidence.ts';
import { hasCount } from '../evidence/merge.ts';
import {
  type FailedParts,
  failedAnswer,
  failedExchange,
  notEncoded,
  unexpectedFailure,
  withoutProject,
} from '../failures/failed-attempt.ts';
import {
  answerBytesFor,
  isFailure,
  type OpenReader,
  requestIdOf,
  type Send,
  type SendOutcome,
  type SendResponse,
} from '../http/transport.ts';
import type { ModelRequest } from '../model/model-request.ts';
import type {
  AttemptOptions,
  AttemptOutcome,
  AttemptStream,
  ModelPort,
  PlatformContext,
} from '../model/port.ts';
import { isErrorBody, readError } from '../redaction/error-body.ts';
import type { Redact } from '../redaction/redact.ts';
import type { PricedTerms, Written } from './codec/encoded.ts';
import { RelayedEvents, relayedBody, withModel } from './codec/relay.ts';
import type { Answer, StreamCodec, SurfaceCodec } from './codec/surface-codec.ts';
import { withReportedTier } from './requested-tier.ts';
import { AnswerStream } from './stream/answer-stream.ts';
import { jsonTextOf, kindOfBody } from './stream/first-bytes.ts';
import { Follower } from './stream/follower.ts';
import { createReplaySend, silent } from './stream/resend.ts';
import { hasNoContent, streamedOutcome } from './stream/streamed-outcome.ts';

export interface SurfaceParts {
  readonly context: Pick<PlatformContext, 'clock' | 'logPlatformErrors' | 'propagateTrace'>;
  readonly send: Send;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /**
   * The header that bills a call to a project; several if the right one is unknown; undefined for a
   * platform without projects.
   */
  readonly projectHeader: string | readonly string[] | undefined;
  /** Undefined when the platform accepts none. */
  readonly pricedTerms?: (upstreamModel: string) => PricedTerms;
  readonly namesOtherTier?: boolean;
  readonly redact: Redact;
}

export type SurfaceModels = (upstreamModel: string) => ModelPort;

export function createSurface(given: SurfaceParts, ofWire: SurfaceCodec): SurfaceModels {
  const { pricedTerms, projectHeader = [] } = given;
  const codec = given.namesOtherTier === true ? withReportedTier(ofWire) : ofWire;
  const projectHeaders = typeof projectHeader === 'string' ? [projectHeader] : projectHeader;
  const headers = { ...jsonHeaders, ...given.headers };
  const surface: Surface = { ...given, headers, projectHeaders, codec };
  return (upstreamModel) => {
    const terms = pricedTerms?.(upstreamModel) ?? {};
    return {
      streams: codec.stream !== undefined,
      wire: codec.wire,
      carryNames: codec.carryNames ?? [],
      async attempt(request, options) {
        try {
          const { projectId, stream, work } = options;
          if (projectHeaders.length > 0 && projectId === undefined) return withoutProject();
          const encoding =
            request.relay === undefined
              ? codec.encode(upstreamModel, request)
              : relayedBody({ ...codec, terms }, upstreamModel, request, stream !== undefined);
          const encoded = encoding instanceof Promise ? await encoding : encoding;
          if ('problem' in encoded) return notEncoded(encoded.problem, given.redact);
          const own = { ...request.fields, ...terms };
          const written = 'text' in encoded ? encoded : { body: { ...encoded.body, ...own } };
          if (stream !== undefined && codec.stream !== undefined) {
            const followed = { ...options, stream, codec: codec.stream };
            return await attemptStream(surface, written, request, followed);
          }
          const sent = await post(surface, written, request, options);
          if ('wasSent' in sent)
            return failedExchange(sent, failedParts(surface, request, options));
          if (sent.body.byteLength > largeBytes) await work?.turn();
          const sinceMs = work?.nowMs() ?? 0;
          const outcome = outcomeOf(surface, sent, request, options);
          work?.note('response', sinceMs);
          return outcome;
        } catch (error) {
          options.work?.note('response', options.work.nowMs());
          // Even if a codec throws, there is an outcome.
          return unexpectedFailure(error);
        }
      },
    };
  };
}

interface Surface extends SurfaceParts {
  readonly projectHeaders: readonly string[];
  readonly codec: SurfaceCodec;
}

const jsonHeaders = {
  'content-type': 'application/json',
  accept: 'application/json',
  'accept-encoding': 'identity',
  // Some front ends reject a request without one.
  'user-agent': 'model-gateway',
};

async function attemptStream(
  surface: Surface,
  encoded: Written,
  request: ModelRequest,
  options: AttemptOptions & { readonly stream: AttemptStream; readonly codec: StreamCodec },
): Promise<AttemptOutcome> {
  const { codec } = surface;
  const follower = new Follower(options.stream);
  const fold = options.codec.openFold(request, (delta) => follower.emit(delta));
  const { maxTokens, relay } = request;
  const events = relay && codec.relay && new RelayedEvents(codec.relay, relay.model);
  const stream = new AnswerStream({ follower, fold, maxTokens, events, signal: options.signal });
  const { fields } = options.codec;
  const streamRequest = 'text' in encoded ? encoded : { body: { ...encoded.body, ...fields } };
  const sent = await post(surface, streamRequest, request, options, (head, flow) =>
    stream.open(head, flow),
  );
  const failed = failedParts(surface, request, options);
  const decode = (answer: Answer) => codec.decode(answer, request);
  const outcome = streamedOutcome({ stream, follower, fold, sent, decode, failed });
  if (outcome !== undefined) return outcome;
  if (isFailure(sent)) return failedExchange(sent, failed);
  const isWhole = sent.status >= 200 && sent.status < 300;
  // The caller reads events, which only the platform can write.
  const isNoStream = isWhole && events !== undefined && !isErrorBody(sent.body);
  if (isNoStream) return failedAnswer(sent, 'the response is not a stream', failed);
  return outcomeOf(surface, sent, request, options);
}

function outcomeOf(
  surface: Surface,
  response: SendResponse,
  request: ModelRequest,
  options: AttemptOptions,
): AttemptOutcome | Promise<AttemptOutcome> {
  const { codec } = surface;
  const { status, headers, body } = response;
  const failed = (wrong?: string) =>
    failedAnswer(response, wrong, failedParts(surface, request, options));
  if (status < 200 || status >= 300) return failed();
  let text = body.toString();
  let answer = parseJson(text)?.value;
  if (answer === undefined) {
    text = jsonTextOf(body);
    answer = parseJson(text)?.value;
  }
  const noAnswer = (wrong: string) => failed(readError(answer) === undefined ? wrong : undefined);
  if (!isRecord(answer)) {
    const { stream } = codec;
    // Some platforms send events even if not requested.
    const isEvents = kindOfBody(body) === 'events' && request.relay === undefined;
    if (stream === undefined || !isEvents) return noAnswer('the response is not a JSON object');
    return readEvents(surface, response, request, { ...options, stream: silent, codec: stream });
  }
  const decoded = codec.decode(answer, request);
  if (decoded === undefined) return noAnswer('the response has an unexpected shape');
  const { content, finish, vectors } = decoded;
  // A response with content is valid, whatever else it contains.
  const isEmpty = content.length === 0 && (vectors === undefined || vectors.length === 0);
  if (isEmpty && (finish === 'error' || readError(answer) !== undefined)) return failed();
  const usage = readStatement(answer, codec.readUsage, text);
  const isUseless = isEmpty && hasNoContent(decoded) && !hasCount(usage);
  if (isUseless) return failed('the response has an unexpected shape');
  const requestId = options.requestIdHolder?.requestId ?? requestIdOf(headers, answer);
  const answered = { kind: 'answered', ...decoded, usage, requestId } as const;
  const { relay } = request;
  return relay ? { ...answered, body: withModel(text, relay.model) } : answered;
}

/** A whole response in stream form. No retry, because it might have been billed. */
async function readEvents(
  surface: Surface,
  response: SendResponse,
  request: ModelRequest,
  options: Parameters<typeof attemptStream>[3],
): Promise<AttemptOutcome> {
  const again = { ...surface, send: createReplaySend(response) };
  const outcome = await attemptStream(again, { text: '' }, request, options);
  if (outcome.kind === 'answered') return outcome;
  const { broke: _, ...failed } = outcome;
  return { ...failed, isRetryable: failed.isRetryable && failed.billed === 'no' };
}

function failedParts(
  { context, redact, codec }: Surface,
  request: ModelRequest,
  options: AttemptOptions,
): FailedParts {
  return {
    ...{ context, redact, request, options },
    readUsage: (body, text) => readStatement(body, codec.readUsage, text),
  };
}

/** Separate, so no waiting frame keeps the request's text alive. */
function post(
  surface: Surface,
  encoded: Written,
  request: ModelRequest,
  options: AttemptOptions,
  openReader?: OpenReader,
): Promise<SendOutcome> {
  const text = 'text' in encoded ? encoded.text : JSON.stringify(encoded.body);
  const { signal, app, requestIdHolder, work } = options;
  return surface.send({
    ...{ method: 'POST', path: surface.path },
    headers: { ...headersOf(surface, options), ...request.relay?.headers },
    body: text,
    answerBytesMax: answerBytesFor(request.maxTokens, Buffer.byteLength(text)),
    ...{ signal, app, requestIdHolder, work, openReader },
  });
}

function headersOf(
  { context, headers, projectHeaders }: Surface,
  { projectId, stream, trace }: AttemptOptions,
): Readonly<Record<string, string>> {
  const traced = context.propagateTrace === true ? trace?.headers() : undefined;
  if (stream === undefined && projectId === undefined && traced === undefined) return headers;
  const all: Record<string, string> = { ...headers, ...traced };
  if (stream !== undefined) all.accept = 'text/event-stream, application/json';
  if (projectId !== undefined) for (const name of projectHeaders) all[name] = projectId;
  return all;
}
