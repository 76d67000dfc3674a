import type { CallFields, Operation } from '@model-gateway/contract';
import type { CatalogModel } from '../../catalog/catalog.ts';
import type { Wire } from '../../domain/wire.ts';
import type { Delta } from '../../platforms/model/content.ts';
import type { ModelRequest } from '../../platforms/model/model-request.ts';
import type { AttemptOutcome } from '../../platforms/model/port.ts';
import type { CallError } from './call-error.ts';
import type { Output } from './result.ts';

/** What calls are named by, in records and metrics. */
export type OperationName = Operation | 'messages' | 'responses';

/** The wire of each operation's requests: on its path a model is called that has several. */
export const wireOfOperation = {
  chat: 'openai-chat',
  objects: 'openai-chat',
  agents: 'openai-chat',
  embeddings: undefined,
  messages: 'anthropic-messages',
  responses: 'openai-responses',
} as const satisfies Readonly<Record<OperationName, Wire | undefined>>;

/** An answered attempt. */
export type Answered = Extract<AttemptOutcome, { kind: 'answered' }>;

/** What an operation reads from a model's answer: its output, or why it is none. */
export type Reading = { readonly kind: 'ok'; readonly output: Output } | ReadingError;

/** An answer that cannot be handed on; it has been paid for. */
export interface ReadingError {
  readonly kind: 'error';
  readonly code: 'TRUNCATED' | 'BAD_OUTPUT';
  readonly message: string;
}

/** A piece of an answer as its caller is told it; pieces that come together may be joined. */
export interface Shown {
  /** What the dialect makes its event of. Where it is empty its bytes are the next piece's. */
  readonly text: string;
  /** Bytes of what the model wrote that are in it, as UTF-8: its user pays for so much. */
  readonly bytes: number;
  /** Set of reasoning as text: another attempt may still follow, with its own. */
  readonly mayRepeat?: true;
}

/**
 * What makes a chat, an object and an agent turn differ: how they ask the model, and how they read
 * what it answered. The money never differs.
 */
export interface ModelOperation<Request extends CallFields> {
  readonly name: OperationName;
  /** What is asked, but for the most tokens that the model may write, which are held. */
  encode(request: Request, model: CatalogModel): Omit<ModelRequest, 'maxTokens'>;
  /**
   * A promise where another thread checks the answer. It is waited for within the time that the
   * call has, and is no part of the platform's time.
   */
  read(answered: Answered, request: Request, model: CatalogModel): Reading | Promise<Reading>;
  /** What of a piece of the answer its caller is shown before it is read; undefined for nothing. */
  shown(delta: Delta, model: CatalogModel): Shown | undefined;
  /** JSON that the platform may be sent twice, such as a schema: it is counted once more. */
  schemaText(request: Request): string | undefined;
  /** Why a model on this wire cannot be asked so; told before anything is held. */
  refusal?(request: Request, model: CatalogModel, wire: Wire | undefined): CallError | undefined;
  /** The bytes of all that the model reads as text: what its user pays for without counts. */
  promptBytes(request: Request): number;
}
