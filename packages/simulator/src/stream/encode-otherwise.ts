import { type Billed, type OtherWords, reportedOtherwise } from '../surfaces/reported-otherwise.ts';
import type { StreamEncoder, StreamEvent } from './encoder.ts';

export function encodeOtherwise(
  encoder: StreamEncoder,
  words: OtherWords,
  billed: Billed,
): StreamEncoder {
  const all = (events: readonly StreamEvent[]) =>
    events.map((event) => ({ ...event, data: reportedOtherwise(event.data, words, billed) }));
  return { ...encoder, begin: () => all(encoder.begin()), end: () => all(encoder.end()) };
}
