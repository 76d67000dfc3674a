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

export function formatSpanReference(traceId: string, spanId: string): string {
  return `${traceId}-${spanId}`;
}

export function traceIdIn(spanReference: string): string {
  return spanReference.slice(0, spanReference.indexOf('-'));
}
