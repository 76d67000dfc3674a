import type { Books } from './books/books.ts';

/** Crowds of which more were admitted than fit. */
export function crowdsAbove({ crowds }: Books): readonly string[] {
  return crowds.flatMap(({ account, fits, admitted }) =>
    admitted > fits ? `${account}: ${admitted} calls were admitted where ${fits} fit` : [],
  );
}

/** Calls that are not booked with what an operator has corrected them to. */
export function notCorrected({ booked, corrections }: Books): readonly string[] {
  return booked.flatMap(({ callId, picoUsd }) => {
    const corrected = corrections.get(callId) ?? picoUsd;
    if (corrected === picoUsd) return [];
    return `${callId} was corrected to ${corrected} pico-USD, and is booked with ${picoUsd}`;
  });
}
