import type { LanguageModelV4FinishReason, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import type { CarriedOutput } from '../../domain/carry.ts';
import { parseJson } from '../../lib/json-value.ts';
import { Statements } from '../evidence/statements.ts';
import { type FailedParts, failedAnswer, failedExchange } from '../failures/failed-attempt.ts';
import type { AwaitableFlow } from '../http/flow.ts';
import type { AnswerHead, TransportFailure } from '../http/transport.ts';
import { requestIdOf } from '../http/transport.ts';
import { withPosition } from '../model/carry.ts';
import type { ModelContent } from '../model/content.ts';
import type { AttemptOutcome, ReportedUsage } from '../model/port.ts';
import { isErrorBody } from '../redaction/error-body.ts';
import { type Finish, readFinish } from '../statements/finish-reasons.ts';
import type { Follower } from '../wires/stream/follower.ts';
import { asBroken, stoppedByError } from '../wires/stream/stopped-by-error.ts';
import { readLibraryUsage } from './read-library-usage.ts';
import { carriedOptions, carriedParts, type ReasoningPart } from './reasoning-parts.ts';

export interface StreamedContent {
  readonly content: readonly ModelContent[];
  carried(): CarriedOutput | undefined;
  final(): ReportedUsage;
  reportedSoFar(): ReportedUsage | undefined;
  /** Undefined when the stream broke off. */
  readonly finishReason: LanguageModelV4FinishReason | undefined;
}

/** Throws what the stream throws. */
export async function readParts(
  stream: ReadableStream<LanguageModelV4StreamPart>,
  follower: Follower,
  { flow, signal }: { flow: Pick<AwaitableFlow, 'opened'>; signal: AbortSignal },
): Promise<StreamedContent> {
  const content = new PartsContent(follower);
  const reader = stream.getReader();
  while (true) {
    // The follower of a canceled stream gets no more parts and cannot resume it.
    if (!signal.aborted) await flow.opened();
    const { done, value } = await reader.read();
    if (done) return content;
    if (!signal.aborted) content.add(value);
  }
}

/** Content in the order in which its parts begin; skips other kinds. */
class PartsContent implements StreamedContent {
  readonly content: ModelContent[] = [];
  readonly #reasoning = new Map<string, ReasoningPart>();
  readonly #callOptions: ReturnType<typeof carriedOptions>[] = [];
  readonly #counts = new Statements(readLibraryUsage);
  finishReason: LanguageModelV4FinishReason | undefined;
  readonly #follower: Follower;
  readonly #indexes = new Map<string, number>();
  readonly #calls = new Map<string, number>();
  #hasFailed = false;

  constructor(follower: Follower) {
    this.#follower = follower;
  }

  add(part: LanguageModelV4StreamPart) {
    switch (part.type) {
      case 'text-delta':
        return this.#append('text', part.id, part.delta);
      case 'reasoning-start':
        return this.#store(part.id, '', part.providerMetadata);
      case 'reasoning-end': {
        this.#store(part.id, '', part.providerMetadata);
        const reasoning_parts = [this.#reasoning.get(part.id)];
        return this.#follower.emit({ type: 'own', text: JSON.stringify({ reasoning_parts }) });
      }
      case 'reasoning-delta':
        this.#store(part.id, part.delta, part.providerMetadata);
        return this.#append('reasoning', part.id, part.delta);
      case 'tool-input-start':
        return this.#emitInput(part.id, '', part.toolName);
      case 'tool-input-delta':
        return this.#emitInput(part.id, part.delta);
      case 'tool-call': {
        const { type, toolCallId, toolName, input } = part;
        this.content.push({ type, toolCallId, toolName, input });
        const options = carriedOptions(part.providerMetadata);
        this.#callOptions.push(options);
        if (options !== undefined) this.#emitInput(toolCallId, '', toolName, options);
        return;
      }
      case 'error':
        this.#hasFailed = true;
        return;
      case 'finish':
        this.#counts.add(part.usage);
        this.finishReason = this.#hasFailed ? undefined : part.finishReason;
    }
  }

  carried(): CarriedOutput | undefined {
    return carriedParts([...this.#reasoning.values()], this.#callOptions);
  }

  final(): ReportedUsage {
    return this.#counts.final();
  }

  reportedSoFar(): ReportedUsage | undefined {
    return this.#counts.reportedSoFar();
  }

  #store(id: string, delta: string, metadata: unknown) {
    const reasoned = this.#reasoning.size;
    const others = this.content.filter(({ type }) => type === 'text').length + this.#calls.size;
    const known: ReasoningPart =
      this.#reasoning.get(id) ?? withPosition({ text: '' }, reasoned + others, reasoned);
    const more = carriedOptions(metadata);
    const { text, options = more } = known;
    const all = options && { options: { ...options, ...more } };
    this.#reasoning.set(id, { ...known, text: text + delta, ...all });
  }

  #emitInput(toolCallId: string, text: string, toolName?: string, options?: object) {
    const known = this.#calls.get(toolCallId);
    const index = known ?? this.#calls.size;
    this.#calls.set(toolCallId, index);
    const call = known === undefined ? { toolCallId, toolName } : {};
    const own = options && { own: { extra_content: options } };
    this.#follower.emit({ type: 'tool-input', index, ...call, text, ...own });
  }

  #append(type: 'text' | 'reasoning', id: string, text: string) {
    const key = `${type} ${id}`;
    const index = this.#indexes.get(key) ?? this.content.length;
    this.#indexes.set(key, index);
    const known = this.content[index];
    const before = known?.type === type ? known.text : '';
    this.content[index] = { type, text: before + text };
    this.#follower.emit({ type, text });
  }
}

export interface StreamedAttempt {
  readonly head: AnswerHead;
  readonly follower: Follower;
  readonly read: StreamedContent | undefined;
  readonly failure: TransportFailure | undefined;
  readonly lastEvent: Buffer | undefined;
}

/**
 * Requires a stop reason, or content before the platform's end word (`isDone`); otherwise
 * undefined. A library reports a broken stream as `interrupted`, or as `other` without a reason.
 */
export function streamedAnswer(
  read: StreamedContent,
  head: AnswerHead | undefined,
  isDone = false,
): Extract<AttemptOutcome, { kind: 'answered' }> | undefined {
  const { content, finishReason } = read;
  if (finishReason === undefined) return undefined;
  const { unified, raw } = finishReason;
  const isReasoned = unified !== 'interrupted' && (unified !== 'other' || raw !== undefined);
  if (!isReasoned && !(isDone && content.length > 0)) return undefined;
  const requestId = requestIdOf(head?.headers ?? {}, undefined);
  const [finish, usage] = [isReasoned ? finishOf(finishReason) : 'other', read.final()] as const;
  const carried = read.carried();
  return { kind: 'answered', content, carried, finish, finishRaw: raw, usage, requestId };
}

export function finishOf({ unified, raw }: LanguageModelV4FinishReason): Finish {
  if (unified === 'other') return readFinish(raw);
  return unified === 'interrupted' ? 'error' : unified;
}

/** Libraries do not report the error object that ended a stream. */
export function brokenAttempt(attempt: StreamedAttempt, failed: FailedParts): AttemptOutcome {
  const { head, follower, read, failure, lastEvent } = attempt;
  const stopped = { follower, reported: read?.reportedSoFar(), failed };
  if (failure !== undefined) return asBroken(stopped, failedExchange(failure, failed));
  if (lastEvent !== undefined && isErrorBody(lastEvent)) {
    const event = parseJson(lastEvent.toString())?.value;
    // Only the package knows which of its texts are part of a response.
    const options = { ...failed.options, sentences: 'unsaid' } as const;
    const withOptions = { ...stopped, failed: { ...failed, options } };
    return stoppedByError(withOptions, head, { event, isLastEvent: false });
  }
  const wrong = 'the stream ended before the response was complete';
  return asBroken(stopped, failedAnswer({ ...head, body: Buffer.alloc(0) }, wrong, failed));
}
