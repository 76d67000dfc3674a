import type { CallRequest, ChatRequest, FinishReason } from '@model-gateway/contract';
import type { CatalogModel } from '../../catalog/catalog.ts';
import type { Delta } from '../../platforms/model/content.ts';
import type {
  AnswerError,
  AnsweredAttempt,
  ModelOperation,
  OutputPiece,
  ParsedAnswer,
} from '../model/operation.ts';
import { noToolOffered } from './bad-output.ts';
import { carryOf } from './carry.ts';
import { conversationOf, promptBytesOf } from './conversation.ts';

export const chat: ModelOperation<ChatRequest> = {
  name: 'chat',
  encode: conversationOf,
  read: readChat,
  pieceOf: textPieceOf,
  schemaText: () => undefined,
  promptBytes: promptBytesOf,
};

function readChat(
  answered: AnsweredAttempt,
  request: ChatRequest,
  model: CatalogModel,
): ParsedAnswer {
  if (answered.finish === 'length') return truncated(request, model);
  // A chat offers no tools, and its user must not pay for a call that cannot be made.
  if (answered.content.some(({ type }) => type === 'tool-call')) return noToolOffered(model.id);
  const text = textOf(answered);
  const finishReason = finishReasonOf(answered, request);
  const output = { kind: 'text', text, finishReason } as const;
  if (answered.carried === undefined) return { kind: 'ok', output };
  return { kind: 'ok', output: { ...output, ...carryOf(answered.carried, model) } };
}

export function truncated({ maxTokens }: CallRequest, { id, ...model }: CatalogModel): AnswerError {
  const { maxOutputTokens = maxTokens } = model;
  const message =
    maxOutputTokens < maxTokens
      ? `The output was cut off at ${maxOutputTokens} tokens, the output limit of the model ${id}; ask for less, or use a model with a higher limit.`
      : `The output was cut off at maxTokens (${maxTokens}); raise maxTokens, or ask for less.`;
  return { kind: 'error', code: 'TRUNCATED', message };
}

export function textPieceOf(delta: Delta): OutputPiece | undefined {
  return delta.type === 'text' ? textPiece(delta.text) : undefined;
}

export function textPiece(text: string): OutputPiece {
  return { text, bytes: Buffer.byteLength(text) };
}

export function textOf(answered: AnsweredAttempt): string {
  let text = '';
  for (const part of answered.content) if (part.type === 'text') text += part.text;
  return text;
}

function finishReasonOf(answered: AnsweredAttempt, request: ChatRequest): FinishReason {
  if (answered.finish === 'content-filter') return 'content-filter';
  if (answered.finish !== 'stop') return 'other';
  const raw = answered.finishRaw;
  // OpenAI's API reports `stop` for both; Anthropic's distinguishes them.
  const isSequence = raw === 'stop_sequence' && (request.stop ?? []).length > 0;
  return isSequence ? 'stop-sequence' : 'stop';
}
