import type { BookedCall, Books } from './books/books.ts';

/** Calls that are booked as exact, or partly so, though their platform contradicted itself. */
export function falselyExact(
  { stated = [] }: Books,
  booked: readonly BookedCall[],
): readonly BookedCall[] {
  const labels = new Set(stated.flatMap((call) => (call.contradicts ? call.label : [])));
  return booked.filter(
    ({ label, attempts }) =>
      labels.has(label ?? '') && attempts.some(({ isEstimated }) => !isEstimated),
  );
}

/** Calls that are booked as estimates though their counts only grew, a line each. */
export function estimatedGrowth({ stated = [], booked }: Books): readonly string[] {
  const labels = new Set(stated.flatMap((call) => (call.contradicts ? [] : call.label)));
  return booked.flatMap(({ label = '', estimatedPicoUsd }) =>
    labels.has(label) && estimatedPicoUsd > 0n
      ? `${label}: its counts only grew, and it is booked as an estimate`
      : [],
  );
}
