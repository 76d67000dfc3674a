import type { Ids } from '../lib/id.ts';

/** A new trace: 32 hexadecimal digits. */
export function newTraceId({ random }: Pick<Ids, 'random'>): string {
  return `${hexWord(random)}${hexWord(random)}${hexWord(random)}${hexWord(random)}`;
}

/** A new span: 16 hexadecimal digits. */
export function newSpanId({ random }: Pick<Ids, 'random'>): string {
  return `${hexWord(random)}${hexWord(random)}`;
}

/** 32 random bits. */
function hexWord(random: () => number): string {
  return Math.floor(random() * 2 ** 32)
    .toString(16)
    .padStart(8, '0');
}

/** A trace and a span of it as one text. */
export function placeText(traceId: string, spanId: string): string {
  return `${traceId}-${spanId}`;
}

/** The trace of a place. */
export function traceIdIn(place: string): string {
  return place.slice(0, place.indexOf('-'));
}
