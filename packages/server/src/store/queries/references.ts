import type { Query } from '../port/port.ts';
import { big, optionalText, text } from '../schema/columns.ts';

export interface ReferencedChange {
  /** Exact decimal USD. */
  readonly usd: string;
  readonly callId: string | undefined;
}

/** Undefined if nothing was done. */
export function selectChangeUnder(change: {
  readonly action: string;
  readonly subject: string;
  readonly reference: string;
}): Query<ReferencedChange | undefined> {
  return {
    sql: `
      select after_value, call_id
        from audit_log
       where action = $1 and subject = $2 and reference = $3`,
    values: [change.action, change.subject, change.reference],
    map: ([row]) => row && { usd: text(row, 'after_value'), callId: optionalText(row, 'call_id') },
  };
}

/** Pico-USD; undefined if unchanged. */
export function selectWalletEntry(
  app: string,
  userId: string,
  reference: string,
): Query<bigint | undefined> {
  return {
    sql: 'select amount from wallet_entry where app = $1 and user_id = $2 and reference = $3',
    values: [app, userId, reference],
    map: ([row]) => row && big(row, 'amount'),
  };
}
