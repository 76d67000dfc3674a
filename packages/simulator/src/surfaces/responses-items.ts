import type { StreamSegment } from '../stream/segments.ts';
import type { AnswerParts } from './surface.ts';

/** Not numbered yet. */
export type TypedEvent = { readonly type: string } & Readonly<Record<string, unknown>>;

export interface OpenItem {
  holds(segment: StreamSegment): boolean;
  begin(): readonly TypedEvent[];
  delta(text: string): readonly TypedEvent[];
  end(status: string): { readonly events: readonly TypedEvent[]; readonly item: unknown };
}

export function createOpenItem(
  segment: StreamSegment,
  outputIndex: number,
  nextId: AnswerParts['nextId'],
): OpenItem {
  const at = { output_index: outputIndex };
  if (segment.type === 'text') return messageItem(at, nextId('msg_'));
  if (segment.type === 'reasoning') return reasoningItem(at, nextId('rs_'));
  const ids = { id: nextId('fc_'), call_id: nextId('call_') };
  return callItem(at, ids, segment);
}

function messageItem(at: Readonly<Record<string, unknown>>, id: string): OpenItem {
  const position = { item_id: id, ...at, content_index: 0 };
  let text = '';
  const part = () => ({ type: 'output_text', text, annotations: [], logprobs: [] });
  const item = (status: string, content: readonly unknown[]) => {
    return { id, type: 'message', status, role: 'assistant', content };
  };
  return {
    holds: ({ type }) => type === 'text',
    begin: () => [
      { type: 'response.output_item.added', ...at, item: item('in_progress', []) },
      { type: 'response.content_part.added', ...position, part: part() },
    ],
    delta(more) {
      text += more;
      return [{ type: 'response.output_text.delta', ...position, delta: more, logprobs: [] }];
    },
    end(status) {
      const whole = item(status, [part()]);
      const events = [
        { type: 'response.output_text.done', ...position, text, logprobs: [] },
        { type: 'response.content_part.done', ...position, part: part() },
        { type: 'response.output_item.done', ...at, item: whole },
      ];
      return { events, item: whole };
    },
  };
}

function reasoningItem(at: Readonly<Record<string, unknown>>, id: string): OpenItem {
  const position = { item_id: id, ...at, summary_index: 0 };
  let text = '';
  const part = () => ({ type: 'summary_text', text });
  const item = (summary: readonly unknown[]) => ({ id, type: 'reasoning', summary });
  return {
    holds: ({ type }) => type === 'reasoning',
    begin: () => [
      { type: 'response.output_item.added', ...at, item: item([]) },
      { type: 'response.reasoning_summary_part.added', ...position, part: part() },
    ],
    delta(more) {
      text += more;
      return [{ type: 'response.reasoning_summary_text.delta', ...position, delta: more }];
    },
    end() {
      const whole = item([part()]);
      const events = [
        { type: 'response.reasoning_summary_text.done', ...position, text },
        { type: 'response.reasoning_summary_part.done', ...position, part: part() },
        { type: 'response.output_item.done', ...at, item: whole },
      ];
      return { events, item: whole };
    },
  };
}

function callItem(
  at: Readonly<Record<string, unknown>>,
  ids: { readonly id: string; readonly call_id: string },
  segment: Extract<StreamSegment, { type: 'tool' }>,
): OpenItem {
  const { index, name } = segment;
  const position = { item_id: ids.id, ...at };
  let input = '';
  const item = (status: string) => ({ ...ids, type: 'function_call', status, name });
  return {
    holds: (other) => other.type === 'tool' && other.index === index,
    begin: () => [
      {
        type: 'response.output_item.added',
        ...at,
        item: { ...item('in_progress'), arguments: '' },
      },
    ],
    delta(more) {
      input += more;
      return [{ type: 'response.function_call_arguments.delta', ...position, delta: more }];
    },
    end(status) {
      const whole = { ...item(status), arguments: input };
      const events = [
        { type: 'response.function_call_arguments.done', ...position, arguments: input },
        { type: 'response.output_item.done', ...at, item: whole },
      ];
      return { events, item: whole };
    },
  };
}
