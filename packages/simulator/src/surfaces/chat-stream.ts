import { openaiErrorBody } from '../lib/platform-error.ts';
import type { Beat } from '../stream/beats.ts';
import { type StreamEncoder, type StreamEvent, streamError } from '../stream/encoder.ts';
import { chatStated, chatUsage, finishReasons } from './chat-words.ts';
import { statedTwice } from './stated-twice.ts';
import type { AnswerParts, StreamParts } from './surface.ts';

const done: StreamEvent = { data: '[DONE]' };

export function createChatStream(answer: AnswerParts, stream: StreamParts): StreamEncoder {
  const { model, produced, statedUsage, statedFirst: first, createdAtSeconds, nextId } = answer;
  const { counts, includeUsage } = stream;
  const id = nextId('chatcmpl-');
  const named = { id, object: 'chat.completion.chunk', created: createdAtSeconds, model };
  // OpenAI writes null wherever the counts are still to come.
  const unstated = includeUsage ? null : undefined;
  return {
    begin: () => [choice({ role: 'assistant', content: '' }, null, ofBeginning())],
    delta(beat, soFar) {
      const usage = counts === 'each' ? chatUsage(soFar(), statedUsage) : unstated;
      return [choice(deltaOf(beat, nextId), null, usage)];
    },
    end() {
      const usage = chatUsage(produced.usage, statedUsage);
      const isWithin = counts === 'last' || counts === 'each';
      const finish = choice({}, finishReasons[produced.finish], isWithin ? usage : unstated);
      const isApart = includeUsage && !isWithin && usage !== undefined;
      const before = first?.how === 'before' ? [chunk([], chatStated(first))] : [];
      const last = twice(isApart ? [finish, ...before, chunk([], usage)] : [...before, finish]);
      return [...last, done];
    },
    fail: () => [{ data: openaiErrorBody(streamError) }],
  };

  function twice(events: readonly StreamEvent[]): readonly StreamEvent[] {
    if (first === undefined) return events;
    const { how } = first;
    const last = events.slice(-1);
    const said = last.map(({ data }) => ({ data: statedTwice(data, how, chatStated(first)) }));
    return [...events.slice(0, -1), ...said];
  }
  function ofBeginning() {
    if (first?.how === 'start') return chatStated(first);
    if (counts !== 'zero-first') return unstated;
    return { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
  }
  function choice(delta: unknown, finish: string | null, usage: unknown): StreamEvent {
    return chunk([{ index: 0, delta, logprobs: null, finish_reason: finish }], usage);
  }
  function chunk(choices: readonly unknown[], usage: unknown): StreamEvent {
    return { data: JSON.stringify({ ...named, choices, usage }) };
  }
}

function deltaOf(beat: Beat, nextId: AnswerParts['nextId']) {
  if (beat.type === 'text') return { content: beat.text };
  if (beat.type === 'reasoning') return { reasoning_content: beat.text };
  const { index, name, isFirst, text } = beat;
  if (!isFirst) return { tool_calls: [{ index, function: { arguments: text } }] };
  const head = { index, id: nextId('call_'), type: 'function' };
  return { tool_calls: [{ ...head, function: { name, arguments: text } }] };
}
