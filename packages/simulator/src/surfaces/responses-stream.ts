import type { Beat } from '../stream/beats.ts';
import { type StreamEncoder, type StreamEvent, streamError } from '../stream/encoder.ts';
import { createOpenItem, type OpenItem, type TypedEvent } from './responses-items.ts';
import { incompleteReason, responseOf, responsesUsage, wholeResponse } from './responses-words.ts';
import type { AnswerParts, StreamParts } from './surface.ts';

/** The events of a response, numbered: one item after the other, then all of them again. */
export function createResponsesStream(answer: AnswerParts, { counts }: StreamParts): StreamEncoder {
  const { produced, statedUsage, nextId } = answer;
  const id = nextId('resp_');
  const output: unknown[] = [];
  let open: OpenItem | undefined;
  let sequence = 0;
  return {
    begin: () => ['response.created', 'response.in_progress'].map(started),
    delta(beat) {
      const entered = enter(beat);
      return [...entered, ...(open?.delta(beat.text) ?? []).map(numbered)];
    },
    end() {
      const reason = incompleteReason(produced);
      const left = leave(reason === undefined ? 'completed' : 'incomplete');
      const usage = responsesUsage(produced.usage, statedUsage);
      const response = wholeResponse(answer, id, output, usage);
      return [...left, numbered({ type: `response.${response.status}`, response })];
    },
    fail(soFar) {
      const { code, message } = streamError;
      const state = { status: 'failed', details: null, error: { code, message } };
      const usage = responsesUsage(soFar, statedUsage);
      const response = { ...responseOf(answer, id, state), output, usage };
      return [numbered({ type: 'response.failed', response })];
    },
  };

  function started(type: string): StreamEvent {
    const state = { status: 'in_progress', details: null, error: null };
    const none = { input_tokens: 0, output_tokens: 0, total_tokens: 0 };
    const usage = counts === 'zero-first' ? none : null;
    return numbered({ type, response: { ...responseOf(answer, id, state), usage } });
  }

  /** Begins the item of a delta, unless the one that is open is its own. */
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
