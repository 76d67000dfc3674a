import { type StreamEncoder, type StreamEvent, streamError } from '../stream/encoder.ts';
import type { StreamSegment } from '../stream/segments.ts';
import { reportUsageTwice } from './report-usage-twice.ts';
import { createOpenItem, type OpenItem, type TypedEvent } from './responses-items.ts';
import {
  incompleteReason,
  responseOf,
  responsesCounts,
  responsesUsage,
  wholeResponse,
} from './responses-words.ts';
import type { AnswerParts, StreamParts } from './surface.ts';

/** Numbered: one item after the other, then all of them again. */
export function createResponsesStream(answer: AnswerParts, { counts }: StreamParts): StreamEncoder {
  const { produced, reportedUsage, reportedFirst: first, nextId } = answer;
  const id = nextId('resp_');
  const output: unknown[] = [];
  let open: OpenItem | undefined;
  let sequence = 0;
  return {
    begin: () => [
      started('response.created', first?.how === 'start'),
      started('response.in_progress', false),
    ],
    delta(segment) {
      const entered = enter(segment);
      return [...entered, ...(open?.delta(segment.text) ?? []).map(numbered)];
    },
    end() {
      const reason = incompleteReason(produced);
      const closingEvents = leave(reason === undefined ? 'completed' : 'incomplete');
      const usage = responsesUsage(produced.usage, reportedUsage);
      const response = wholeResponse(answer, id, output, usage);
      const before = first?.how === 'before' ? [started('response.in_progress', true)] : [];
      const last = numbered({ type: `response.${response.status}`, response });
      return [...closingEvents, ...before, twice(last)];
    },
    fail(soFar) {
      const { code, message } = streamError;
      const state = { status: 'failed', details: null, error: { code, message } };
      const usage = responsesUsage(soFar, reportedUsage);
      const response = { ...responseOf(answer, id, state), output, usage };
      return [numbered({ type: 'response.failed', response })];
    },
  };

  function twice(event: StreamEvent): StreamEvent {
    if (first === undefined) return event;
    return { ...event, data: reportUsageTwice(event.data, first.how, responsesCounts(first)) };
  }

  function started(type: string, hasFirstUsage: boolean): StreamEvent {
    const state = { status: 'in_progress', details: null, error: null };
    const none = { input_tokens: 0, output_tokens: 0, total_tokens: 0 };
    const initialUsage = counts === 'zero-first' ? none : null;
    const usage = hasFirstUsage && first !== undefined ? responsesCounts(first) : initialUsage;
    return numbered({ type, response: { ...responseOf(answer, id, state), usage } });
  }

  /** Unless the delta's item is open. */
  function enter(segment: StreamSegment): readonly StreamEvent[] {
    if (open?.holds(segment) === true) return [];
    const closingEvents = leave('completed');
    open = createOpenItem(segment, output.length, nextId);
    return [...closingEvents, ...open.begin().map(numbered)];
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
