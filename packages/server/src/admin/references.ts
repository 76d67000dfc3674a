import { optionalText, text } from '../store/columns.ts';
import { AdminError } from './admin-error.ts';
import type { AdminContext } from './context.ts';

/** Characters that a reference may have, as that of a top-up. */
export const referenceMax = 255;

/** Throws an AdminError for a text that is no reference. */
export function checkReference(reference: string | undefined) {
  if (reference === undefined || (reference !== '' && reference.length <= referenceMax)) return;
  const rule = `the reference must be 1–${referenceMax} characters`;
  throw new AdminError(rule, { isBadValue: true });
}

/** A change of money that was made under a reference. */
export interface ReferencedChange {
  /** Exact decimal USD. */
  readonly usd: string;
  readonly callId: string | undefined;
}

/** What was done to a subject under a reference; undefined when nothing was. */
export async function changeUnder(
  { store }: AdminContext,
  change: { readonly action: string; readonly subject: string; readonly reference: string },
): Promise<ReferencedChange | undefined> {
  return store.read({
    sql: `
      select after_value, call_id
        from audit_log
       where action = $1 and subject = $2 and reference = $3`,
    values: [change.action, change.subject, change.reference],
    map: ([row]) => row && { usd: text(row, 'after_value'), callId: optionalText(row, 'call_id') },
  });
}

/** What an operator reads who uses a reference for another amount. */
export function otherAmount(reference: string, was: string): AdminError {
  return new AdminError(
    `the reference ${JSON.stringify(reference)} was used for $${was}: nothing was changed; use another one for another amount`,
  );
}
