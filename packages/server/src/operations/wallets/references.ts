import { AdminError } from '../context/admin-error.ts';

export const referenceMax = 255;

/** Throws an AdminError for an invalid reference. */
export function checkReference(reference: string | undefined) {
  if (reference === undefined || (reference !== '' && reference.length <= referenceMax)) return;
  const rule = `the reference must be 1–${referenceMax} characters`;
  throw new AdminError(rule, { isBadValue: true });
}

export function otherAmount(reference: string, was: string): AdminError {
  return new AdminError(
    `the reference ${JSON.stringify(reference)} was used for $${was}: nothing was changed; use another one for another amount`,
  );
}
