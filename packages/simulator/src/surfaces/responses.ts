import { openaiErrorBody } from '../lib/platform-error.ts';
import type { Produced } from '../model/produce.ts';
import { reportUsageTwice } from './report-usage-twice.ts';
import { decodeResponses } from './responses-decode.ts';
import { createResponsesStream } from './responses-stream.ts';
import {
  incompleteReason,
  responsesCounts,
  responsesUsage,
  wholeResponse,
} from './responses-words.ts';
import type { AnswerParts, SurfaceWire } from './surface.ts';

/** As in Bedrock mantle; stores nothing between two responses. */
export const responsesSurface: SurfaceWire = {
  surface: 'responses',
  path: '/v1/responses',
  projectHeader: 'openai-project',
  decode: decodeResponses,
  encode: encodeResponse,
  createStreamEncoder: createResponsesStream,
  encodeError: openaiErrorBody,
};

function encodeResponse(answer: AnswerParts): string {
  const { produced, reportedUsage, reportedFirst: first, nextId } = answer;
  const id = nextId('resp_');
  const usage = responsesUsage(produced.usage, reportedUsage);
  const json = JSON.stringify(wholeResponse(answer, id, encodeOutput(produced, nextId), usage));
  return first === undefined ? json : reportUsageTwice(json, first.how, responsesCounts(first));
}

function encodeOutput(produced: Produced, nextId: AnswerParts['nextId']): readonly unknown[] {
  const { text, toolCalls, finish, usage } = produced;
  const status = incompleteReason(produced) === undefined ? 'completed' : 'incomplete';
  const output: unknown[] = [];
  if (usage.reasoningTokens > 0) {
    output.push({ id: nextId('rs_'), type: 'reasoning', summary: [] });
  }
  // Reasoning that used up the maximum leaves no message at all.
  if (text !== '' || (toolCalls.length === 0 && finish !== 'length')) {
    const part = { type: 'output_text', text, annotations: [], logprobs: [] };
    const message = { id: nextId('msg_'), type: 'message', status, role: 'assistant' };
    output.push({ ...message, content: [part] });
  }
  for (const toolCall of toolCalls) {
    const ids = { id: nextId('fc_'), type: 'function_call', status, call_id: nextId('call_') };
    output.push({ ...ids, name: toolCall.name, arguments: toolCall.arguments });
  }
  return output;
}
