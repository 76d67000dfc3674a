import type { CallFields, Operation } from '@model-gateway/contract';
import type { CatalogModel } from '../../catalog/catalog.ts';
import type { Wire } from '../../domain/wire.ts';
import type { Delta } from '../../platforms/model/content.ts';
import type { ModelRequest } from '../../platforms/model/model-request.ts';
import type { AttemptOutcome } from '../../platforms/model/port.ts';
import type { CallError } from './call-error.ts';
import type { Output } from './result.ts';

export type OperationName = Operation | 'messages' | 'responses';

export const wireOfOperation = {
  chat: 'openai-chat',
  objects: 'openai-chat',
  agents: 'openai-chat',
  embeddings: undefined,
  messages: 'anthropic-messages',
  responses: 'openai-responses',
} as const satisfies Readonly<Record<OperationName, Wire | undefined>>;

export type AnsweredAttempt = Extract<AttemptOutcome, { kind: 'answered' }>;

export type ParsedAnswer = { readonly kind: 'ok'; readonly output: Output } | AnswerError;

/** The unusable answer has been paid for. */
export interface AnswerError {
  readonly kind: 'error';
  readonly code: 'TRUNCATED' | 'BAD_OUTPUT';
  readonly message: string;
}

export interface OutputPiece {
  /** Text for the dialect's event. If empty, its bytes count with the next piece. */
  readonly text: string;
  /** UTF-8 bytes of model output in it; the user pays for these. */
  readonly bytes: number;
  /** Reasoning text: another attempt may follow with its own. */
  readonly mayRepeat?: true;
}

/** How operations encode and read; the handling of money never differs. */
export interface ModelOperation<Request extends CallFields> {
  readonly name: OperationName;
  /** Without `maxTokens`, which admission has set and reserved. */
  encode(request: Request, model: CatalogModel): Omit<ModelRequest, 'maxTokens'>;
  /**
   * Returns a promise if another thread checks the answer: within the call's time, after the
   * platform's.
   */
  read(
    answered: AnsweredAttempt,
    request: Request,
    model: CatalogModel,
  ): ParsedAnswer | Promise<ParsedAnswer>;
  /** Called before the answer is read; undefined for no output. */
  pieceOf(delta: Delta, model: CatalogModel): OutputPiece | undefined;
  /** JSON that may be sent twice, such as a schema, so it counts once more. */
  schemaText(request: Request): string | undefined;
  /** Called before anything is reserved. */
  refusal?(request: Request, model: CatalogModel, wire: Wire | undefined): CallError | undefined;
  /** Bytes of all text that the model reads; priced if counts are missing. */
  promptBytes(request: Request): number;
}
