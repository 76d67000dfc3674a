import { type StreamEncoder, type StreamEvent, streamError } from '../stream/encoder.ts';
import type { StreamSegment } from '../stream/segments.ts';
import {
  encodeMessagesError,
  messagesCounts,
  messagesUsage,
  stopReasons,
  thinkingSignature,
} from './messages-words.ts';
import { reportUsageTwice } from './report-usage-twice.ts';
import type { AnswerParts, StreamParts } from './surface.ts';

export function createMessagesStream(answer: AnswerParts, { counts }: StreamParts): StreamEncoder {
  const { model, produced, reportedUsage, reportedFirst: first, nextId } = answer;
  const blocks = createBlocks(nextId);
  return {
    begin: () => [event('message_start', { message: messageAtStart() }), event('ping', {})],
    delta: (segment) => [...blocks.enter(segment), blocks.delta(segment)],
    end() {
      const delta = {
        stop_reason: stopReasons[produced.finish],
        stop_sequence: produced.stopSequence ?? null,
      };
      const usage = messagesUsage(produced.usage, reportedUsage);
      const isAll = counts === 'zero-first' || first !== undefined;
      const last = event('message_delta', { delta, usage: isAll ? usage : outputOf(usage) });
      return [...blocks.leave(), ...twice(last), event('message_stop', {})];
    },
    fail: () => [{ name: 'error', data: encodeMessagesError(streamError, nextId('req_')) }],
  };

  function twice(last: StreamEvent): readonly StreamEvent[] {
    if (first === undefined) return [last];
    const usage = messagesCounts(first);
    if (first.how === 'before') return [event('message_delta', { delta: {}, usage }), last];
    return [{ ...last, data: reportUsageTwice(last.data, first.how, usage) }];
  }

  function messageAtStart() {
    const message = { id: nextId('msg_'), type: 'message', role: 'assistant', model, content: [] };
    return { ...message, stop_reason: null, stop_sequence: null, usage: usageAtStart() };
  }

  /** The input, and the first token of the output. */
  function usageAtStart() {
    if (first?.how === 'start' || first?.how === 'before') return messagesCounts(first);
    if (counts === 'zero-first') return { input_tokens: 0, output_tokens: 0 };
    const outputTokens = Math.min(1, produced.usage.outputTokens);
    return messagesUsage({ ...produced.usage, outputTokens, reasoningTokens: 0 }, reportedUsage);
  }
}

function outputOf(usage: ReturnType<typeof messagesUsage>) {
  if (usage === undefined) return undefined;
  const details = 'output_tokens_details' in usage ? usage.output_tokens_details : undefined;
  return { output_tokens: usage.output_tokens, output_tokens_details: details };
}

function createBlocks(nextId: AnswerParts['nextId']) {
  let index = -1;
  let openBlock: string | undefined;
  return {
    /** Unless the delta's block is open. */
    enter(segment: StreamSegment): readonly StreamEvent[] {
      const block = segment.type === 'tool' ? `tool ${segment.index}` : segment.type;
      if (block === openBlock) return [];
      const events = leave();
      openBlock = block;
      index++;
      return [...events, event('content_block_start', { index, content_block: blockOf(segment) })];
    },
    delta: (segment: StreamSegment) =>
      event('content_block_delta', { index, delta: deltaOf(segment) }),
    leave,
  };

  function leave(): readonly StreamEvent[] {
    if (openBlock === undefined) return [];
    const signature = { type: 'signature_delta', signature: thinkingSignature };
    const isSigned = openBlock === 'reasoning';
    openBlock = undefined;
    const stop = event('content_block_stop', { index });
    return isSigned ? [event('content_block_delta', { index, delta: signature }), stop] : [stop];
  }

  function blockOf(segment: StreamSegment) {
    if (segment.type === 'text') return { type: 'text', text: '' };
    if (segment.type === 'reasoning') return { type: 'thinking', thinking: '', signature: '' };
    return { type: 'tool_use', id: nextId('toolu_'), name: segment.name, input: {} };
  }
}

function deltaOf(segment: StreamSegment) {
  if (segment.type === 'text') return { type: 'text_delta', text: segment.text };
  if (segment.type === 'reasoning') return { type: 'thinking_delta', thinking: segment.text };
  return { type: 'input_json_delta', partial_json: segment.text };
}

function event(type: string, rest: Readonly<Record<string, unknown>>): StreamEvent {
  return { name: type, data: JSON.stringify({ type, ...rest }) };
}
