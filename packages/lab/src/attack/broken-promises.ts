import type { Books } from './books/books.ts';

export function crowdsAbove({ crowds }: Books): readonly string[] {
  return crowds.flatMap(({ account, fits, admitted }) =>
    admitted > fits ? `${account}: ${admitted} calls were admitted where ${fits} fit` : [],
  );
}

/** Calls booked with another amount than their correction. */
export function notCorrected({ booked, corrections }: Books): readonly string[] {
  return booked.flatMap(({ callId, picoUsd }) => {
    const corrected = corrections.get(callId) ?? picoUsd;
    if (corrected === picoUsd) return [];
    return `${callId} was corrected to ${corrected} pico-USD, and is booked with ${picoUsd}`;
  });
}
