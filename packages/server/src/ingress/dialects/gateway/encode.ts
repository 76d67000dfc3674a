import { type AssistantMessage, type CallAnswer, headerNames } from '@model-gateway/contract';
import type { CallResult, DoneCall, Output } from '../../../calls/result.ts';
import type { Answer } from '../../http/answer.ts';
import { refuse } from './refuse.ts';

const replayed = { [headerNames.idempotentReplayed]: 'true' } as const;
const noHeaders = {} as const;

/** What a call came to. Source: contract, section 3. */
export function encode(result: CallResult): Answer {
  if (result.kind === 'failed') return refuse(result.error);
  const body = result.kind === 'relayed' ? result.body : JSON.stringify(answerOf(result));
  return { status: 200, body, headers: result.isReplayed ? replayed : noHeaders };
}

function answerOf({ callId, model, upstreamId, output, usage, cost }: DoneCall): CallAnswer {
  const requestId = upstreamId ?? null;
  return { id: callId, model, requestId, ...fieldsOf(output), usage, cost };
}

/** The fields of an operation's answer that no other operation has. */
function fieldsOf(output: Output): object {
  switch (output.kind) {
    case 'text':
      return { text: output.text, finishReason: output.finishReason };
    case 'object':
      return { object: output.object };
    case 'turn': {
      const { text, toolCalls } = output;
      const said = text === undefined ? {} : { text };
      return { done: toolCalls.length === 0, ...said, toolCalls, message: messageOf(output) };
    }
  }
}

/** What the caller sends back before the tools' results. */
function messageOf({ text, toolCalls }: Extract<Output, { kind: 'turn' }>): AssistantMessage {
  return {
    role: 'assistant',
    ...(text === undefined ? {} : { content: text }),
    ...(toolCalls.length === 0 ? {} : { toolCalls }),
  };
}
