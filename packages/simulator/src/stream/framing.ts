import type { StreamPlan } from '../model/stream-plan.ts';
import type { StreamEvent } from './encoder.ts';

export interface Framing {
  /** Ready pieces; the first event has `atLeast` bytes. */
  pieces(events: readonly StreamEvent[], atLeast?: number): readonly Uint8Array[];
  /** Buffered for an event that never came. */
  rest(): readonly Uint8Array[];
}

const lineEnds = { lf: '\n', crlf: '\r\n', cr: '\r' } as const;

export function createFraming(plan: StreamPlan): Framing {
  const { eventsEach = 1, bytesEach = Number.POSITIVE_INFINITY, comments = false } = plan;
  const lineEnd = lineEnds[plan.lineEnd ?? 'lf'];
  let held = '';
  let heldEvents = 0;
  return {
    pieces(events, atLeast = 0) {
      const ready: Uint8Array[] = [];
      for (const [index, event] of events.entries()) {
        held += textOf(index === 0 ? enlarged(event, atLeast) : event);
        heldEvents++;
        if (heldEvents >= eventsEach) ready.push(...rest());
      }
      return ready;
    },
    rest,
  };

  function textOf({ name, data }: StreamEvent): string {
    const comment = comments ? `: a comment${lineEnd}${lineEnd}` : '';
    const first = name === undefined ? '' : `event: ${name}${lineEnd}`;
    return `${comment}${first}data: ${data}${lineEnd}${lineEnd}`;
  }

  function rest(): readonly Uint8Array[] {
    const bytes = Buffer.from(held);
    held = '';
    heldEvents = 0;
    const pieces: Uint8Array[] = [];
    for (let start = 0; start < bytes.length; start += bytesEach) {
      pieces.push(bytes.subarray(start, start + bytesEach));
    }
    return pieces;
  }
}

/** A field that no reader uses adds the bytes. */
function enlarged(event: StreamEvent, atLeast: number): StreamEvent {
  const { data } = event;
  if (data.length >= atLeast || !data.endsWith('}')) return event;
  return { ...event, data: `${data.slice(0, -1)},"padding":"${'x'.repeat(atLeast)}"}` };
}
