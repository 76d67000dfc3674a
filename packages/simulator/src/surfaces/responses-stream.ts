import type { Beat } from '../stream/beats.ts';
import { type StreamEncoder, type StreamEvent, streamError } from '../stream/encoder.ts';
import { createOpenItem, type OpenItem, type TypedEvent } from './responses-items.ts';
import {
  incompleteReason,
  responseOf,
  responsesStated,
  responsesUsage,
  wholeResponse,
} from './responses-words.ts';
import { statedTwice } from './stated-twice.ts';
import type { AnswerParts, StreamParts } from './surface.ts';

/** Numbered: one item after the other, then all of them again. */
export function createResponsesStream(answer: AnswerParts, { counts }: StreamParts): StreamEncoder {
  const { produced, statedUsage, statedFirst: first, nextId } = answer;
  const id = nextId('resp_');
  const output: unknown[] = [];
  let open: OpenItem | undefined;
  let sequence = 0;
  return {
    begin: () => [
      started('response.created', first?.how === 'start'),
      started('response.in_progress', false),
    ],
    delta(beat) {
      const entered = enter(beat);
      return [...entered, ...(open?.delta(beat.text) ?? []).map(numbered)];
    },
    end() {
      const reason = incompleteReason(produced);
      const left = leave(reason === undefined ? 'completed' : 'incomplete');
      const usage = responsesUsage(produced.usage, statedUsage);
      const response = wholeResponse(answer, id, output, usage);
      const before = first?.how === 'before' ? [started('response.in_progress', true)] : [];
      const last = numbered({ type: `response.${response.status}`, response });
      return [...left, ...before, twice(last)];
    },
    fail(soFar) {
      const { code, message } = streamError;
      const state = { status: 'failed', details: null, error: { code, message } };
      const usage = responsesUsage(soFar, statedUsage);
      const response = { ...responseOf(answer, id, state), output, usage };
      return [numbered({ type: 'response.failed', response })];
    },
  };

  function twice(event: StreamEvent): StreamEvent {
    if (first === undefined) return event;
    return { ...event, data: statedTwice(event.data, first.how, responsesStated(first)) };
  }

  function started(type: string, isStated: boolean): StreamEvent {
    const state = { status: 'in_progress', details: null, error: null };
    const none = { input_tokens: 0, output_tokens: 0, total_tokens: 0 };
    const stated = counts === 'zero-first' ? none : null;
    const usage = isStated && first !== undefined ? responsesStated(first) : stated;
    return numbered({ type, response: { ...responseOf(answer, id, state), usage } });
  }

  /** Unless the delta's item is open. */
  function enter(beat: Beat): readonly StreamEvent[] {
    if (open?.holds(beat) === true) return [];
    const left = leave('completed');
    open = createOpenItem(beat, output.length, nextId);
    return [...left, ...open.begin().map(numbered)];
  }

  function leave(status: string): readonly StreamEvent[] {
    if (open === undefined) return [];
    const { events, item } = open.end(status);
    output.push(item);
    open = undefined;
    return events.map(numbered);
  }

  function numbered(event: TypedEvent): StreamEvent {
    const { type, ...rest } = event;
    const data = JSON.stringify({ type, sequence_number: sequence, ...rest });
    sequence++;
    return { name: type, data };
  }
}
