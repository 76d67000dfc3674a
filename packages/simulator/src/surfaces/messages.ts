import type { ToolCallText } from '../model/model-request.ts';
import { reasoningTextOf } from '../stream/segments.ts';
import { decodeMessagesBody } from './messages-decode.ts';
import { createMessagesStream } from './messages-stream.ts';
import {
  encodeMessagesError,
  messagesCounts,
  messagesUsage,
  stopReasons,
  thinkingSignature,
} from './messages-words.ts';
import { reportUsageTwice } from './report-usage-twice.ts';
import type { AnswerParts, SurfaceWire } from './surface.ts';

export const messagesSurface: SurfaceWire = {
  surface: 'messages',
  path: '/v1/messages',
  // `anthropic-workspace`, which mantle's documents name, is ignored: the project `default` pays
  // then, without a notice.
  projectHeader: 'anthropic-workspace-id',
  requestIdHeader: 'request-id',
  requiredHeader: 'anthropic-version',
  decode: decodeMessagesBody,
  encode: encodeMessage,
  createStreamEncoder: createMessagesStream,
  encodeError: encodeMessagesError,
};

function encodeMessage(answer: AnswerParts): string {
  const { model, produced, reportedUsage, reportedFirst: first, nextId } = answer;
  const { text, toolCalls, finish, usage, stopSequence } = produced;
  const thought = reasoningTextOf(usage);
  const thinking = { type: 'thinking', thinking: thought, signature: thinkingSignature };
  const json = JSON.stringify({
    id: nextId('msg_'),
    type: 'message',
    role: 'assistant',
    model,
    content: [
      ...(usage.reasoningTokens > 0 ? [thinking] : []),
      ...(text === '' ? [] : [{ type: 'text', text }]),
      ...toolCalls.map((toolCall) => encodeToolUse(toolCall, nextId('toolu_'))),
    ],
    stop_reason: stopReasons[finish],
    stop_sequence: stopSequence ?? null,
    usage: messagesUsage(usage, reportedUsage),
  });
  return first === undefined ? json : reportUsageTwice(json, first.how, messagesCounts(first));
}

/** The wire has the input as JSON, so invalid JSON stays text. */
function encodeToolUse({ name, arguments: text }: ToolCallText, id: string) {
  return { type: 'tool_use', id, name, input: jsonOr(text) };
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
