import type { Beat } from '../stream/beats.ts';
import { type StreamEncoder, type StreamEvent, streamError } from '../stream/encoder.ts';
import {
  encodeMessagesError,
  messagesStated,
  messagesUsage,
  stopReasons,
  thinkingSignature,
} from './messages-words.ts';
import { statedTwice } from './stated-twice.ts';
import type { AnswerParts, StreamParts } from './surface.ts';

export function createMessagesStream(answer: AnswerParts, { counts }: StreamParts): StreamEncoder {
  const { model, produced, statedUsage, statedFirst: first, nextId } = answer;
  const blocks = createBlocks(nextId);
  return {
    begin: () => [event('message_start', { message: messageAtStart() }), event('ping', {})],
    delta: (beat) => [...blocks.enter(beat), blocks.delta(beat)],
    end() {
      const delta = {
        stop_reason: stopReasons[produced.finish],
        stop_sequence: produced.stopSequence ?? null,
      };
      const usage = messagesUsage(produced.usage, statedUsage);
      const isAll = counts === 'zero-first' || first !== undefined;
      const last = event('message_delta', { delta, usage: isAll ? usage : outputOf(usage) });
      return [...blocks.leave(), ...twice(last), event('message_stop', {})];
    },
    fail: () => [{ name: 'error', data: encodeMessagesError(streamError, nextId('req_')) }],
  };

  function twice(last: StreamEvent): readonly StreamEvent[] {
    if (first === undefined) return [last];
    const usage = messagesStated(first);
    if (first.how === 'before') return [event('message_delta', { delta: {}, usage }), last];
    return [{ ...last, data: statedTwice(last.data, first.how, usage) }];
  }

  function messageAtStart() {
    const message = { id: nextId('msg_'), type: 'message', role: 'assistant', model, content: [] };
    return { ...message, stop_reason: null, stop_sequence: null, usage: usageAtStart() };
  }

  /** The input, and the first token of the output. */
  function usageAtStart() {
    if (first?.how === 'start' || first?.how === 'before') return messagesStated(first);
    if (counts === 'zero-first') return { input_tokens: 0, output_tokens: 0 };
    const outputTokens = Math.min(1, produced.usage.outputTokens);
    return messagesUsage({ ...produced.usage, outputTokens, reasoningTokens: 0 }, statedUsage);
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
    enter(beat: Beat): readonly StreamEvent[] {
      const block = beat.type === 'tool' ? `tool ${beat.index}` : beat.type;
      if (block === openBlock) return [];
      const events = leave();
      openBlock = block;
      index++;
      return [...events, event('content_block_start', { index, content_block: blockOf(beat) })];
    },
    delta: (beat: Beat) => event('content_block_delta', { index, delta: deltaOf(beat) }),
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

  function blockOf(beat: Beat) {
    if (beat.type === 'text') return { type: 'text', text: '' };
    if (beat.type === 'reasoning') return { type: 'thinking', thinking: '', signature: '' };
    return { type: 'tool_use', id: nextId('toolu_'), name: beat.name, input: {} };
  }
}

function deltaOf(beat: Beat) {
  if (beat.type === 'text') return { type: 'text_delta', text: beat.text };
  if (beat.type === 'reasoning') return { type: 'thinking_delta', thinking: beat.text };
  return { type: 'input_json_delta', partial_json: beat.text };
}

function event(type: string, rest: Readonly<Record<string, unknown>>): StreamEvent {
  return { name: type, data: JSON.stringify({ type, ...rest }) };
}
