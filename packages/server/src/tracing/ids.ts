import type { Ids } from '../lib/id.ts';

/** 32 hexadecimal digits. */
export function newTraceId({ random }: Pick<Ids, 'random'>): string {
  return `${hexWord(random)}${hexWord(random)}${hexWord(random)}${hexWord(random)}`;
}

/** 16 hexadecimal digits. */
export function newSpanId({ random }: Pick<Ids, 'random'>): string {
  return `${hexWord(random)}${hexWord(random)}`;
}

function hexWord(random: () => number): string {
  return Math.floor(random() * 2 ** 32)
    .toString(16)
    .padStart(8, '0');
}

export function placeText(traceId: string, spanId: string): string {
  return `${traceId}-${spanId}`;
}

export function traceIdIn(place: string): string {
  return place.slice(0, place.indexOf('-'));
}
