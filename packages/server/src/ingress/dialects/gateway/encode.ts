import assert from 'node:assert';
import { type AssistantMessage, headerNames } from '@model-gateway/contract';
import type { CallResult, DoneCall, Output } from '../../../calls/model/result.ts';
import type { Answer } from '../../exchange/answer.ts';
import { numbersOf, vectorAnswer } from '../../stream/vector-answer.ts';
import { refuse } from './refuse.ts';

const replayed = { [headerNames.idempotentReplayed]: 'true' } as const;
const noHeaders = {} as const;

/** Contract, section 3. */
export function encode(result: CallResult): Answer {
  if (result.kind === 'failed') return refuse(result.error);
  const headers = result.isReplayed ? replayed : noHeaders;
  if (result.kind === 'relayed') return { status: 200, body: result.body, headers };
  const whole = JSON.stringify(answerOf(result));
  const { output } = result;
  if (output.kind !== 'embeddings') return { status: 200, body: whole, headers };
  return vectorAnswer(output.vectors, { whole, write: numbersOf, headers });
}

function answerOf({ callId: id, model, upstreamId, output, usage, cost }: DoneCall): object {
  const requestId = upstreamId ?? null;
  switch (output.kind) {
    case 'text': {
      const { text, finishReason, carry } = output;
      const textFields = { text, finishReason, ...(carry && { carry }) };
      return { id, model, requestId, ...textFields, usage, cost };
    }
    case 'message':
      return assert.fail('no route of this API asks for one');
    case 'object':
      return { id, model, requestId, object: output.object, usage, cost };
    case 'embeddings':
      return { id, model, requestId, embeddings: [], usage, cost };
    case 'completion':
      return assert.fail('no route of this API asks for one');
    case 'turn':
      return { id, model, requestId, ...turnOf(output), usage, cost };
  }
}

function turnOf(output: Extract<Output, { kind: 'turn' }>) {
  const { text, toolCalls } = output;
  const textFields = text === undefined ? {} : { text };
  return { done: toolCalls.length === 0, ...textFields, toolCalls, message: messageOf(output) };
}

function messageOf({
  text,
  toolCalls,
  carry,
}: Extract<Output, { kind: 'turn' }>): AssistantMessage {
  return {
    role: 'assistant',
    ...(text === undefined ? {} : { content: text }),
    ...(toolCalls.length === 0 ? {} : { toolCalls }),
    ...(carry && { carry }),
  };
}
