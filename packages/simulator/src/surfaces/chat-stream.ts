import { openaiErrorBody } from '../lib/platform-error.ts';
import { type StreamEncoder, type StreamEvent, streamError } from '../stream/encoder.ts';
import type { StreamSegment } from '../stream/segments.ts';
import { chatCounts, chatUsage, finishReasons } from './chat-words.ts';
import { reportUsageTwice } from './report-usage-twice.ts';
import type { AnswerParts, StreamParts } from './surface.ts';

const done: StreamEvent = { data: '[DONE]' };

export function createChatStream(answer: AnswerParts, stream: StreamParts): StreamEncoder {
  const { model, produced, reportedUsage, reportedFirst: first, createdAtSeconds, nextId } = answer;
  const { counts, includeUsage } = stream;
  const id = nextId('chatcmpl-');
  const named = { id, object: 'chat.completion.chunk', created: createdAtSeconds, model };
  // OpenAI writes null until the counts come.
  const unreported = includeUsage ? null : undefined;
  return {
    begin: () => [choice({ role: 'assistant', content: '' }, null, ofBeginning())],
    delta(segment, soFar) {
      const usage = counts === 'each' ? chatUsage(soFar(), reportedUsage) : unreported;
      return [choice(deltaOf(segment, nextId), null, usage)];
    },
    end() {
      const usage = chatUsage(produced.usage, reportedUsage);
      const isWithin = counts === 'last' || counts === 'each';
      const finish = choice({}, finishReasons[produced.finish], isWithin ? usage : unreported);
      const isApart = includeUsage && !isWithin && usage !== undefined;
      const before = first?.how === 'before' ? [chunk([], chatCounts(first))] : [];
      const last = twice(isApart ? [finish, ...before, chunk([], usage)] : [...before, finish]);
      return [...last, done];
    },
    fail: () => [{ data: openaiErrorBody(streamError) }],
  };

  function twice(events: readonly StreamEvent[]): readonly StreamEvent[] {
    if (first === undefined) return events;
    const { how } = first;
    const last = events.slice(-1);
    const withFirst = last.map(({ data }) => ({
      data: reportUsageTwice(data, how, chatCounts(first)),
    }));
    return [...events.slice(0, -1), ...withFirst];
  }
  function ofBeginning() {
    if (first?.how === 'start') return chatCounts(first);
    if (counts !== 'zero-first') return unreported;
    return { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
  }
  function choice(delta: unknown, finish: string | null, usage: unknown): StreamEvent {
    return chunk([{ index: 0, delta, logprobs: null, finish_reason: finish }], usage);
  }
  function chunk(choices: readonly unknown[], usage: unknown): StreamEvent {
    return { data: JSON.stringify({ ...named, choices, usage }) };
  }
}

function deltaOf(segment: StreamSegment, nextId: AnswerParts['nextId']) {
  if (segment.type === 'text') return { content: segment.text };
  if (segment.type === 'reasoning') return { reasoning_content: segment.text };
  const { index, name, isFirst, text } = segment;
  if (!isFirst) return { tool_calls: [{ index, function: { arguments: text } }] };
  const head = { index, id: nextId('call_'), type: 'function' };
  return { tool_calls: [{ ...head, function: { name, arguments: text } }] };
}
