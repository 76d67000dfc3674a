import { addUsd, isUsd } from '../lib/usd.ts';

/** What the attempts of one call were billed, as far as the gateway has said. */
export interface Bill {
  /**
   * Notes what an attempt's answer says. Attempts that came to the same call of the gateway were
   * billed once; `callId` is undefined where the answer names none.
   */
  note(callId: string | undefined, usd: unknown): void;
  /** The sum; `null` when one of them has no price, `undefined` when nothing was said. */
  totalUsd(): string | null | undefined;
}

/** An empty bill. */
export function createBill(): Bill {
  const amounts = new Map<string, string | null>();
  return {
    note(callId, usd) {
      // What names no call is a call of its own: no name has a space.
      if (usd === null || isUsd(usd)) amounts.set(callId ?? `attempt ${amounts.size}`, usd);
    },
    totalUsd() {
      let total: string | null | undefined;
      for (const usd of amounts.values()) {
        total = total === null || usd === null ? null : addUsd(total ?? '0', usd);
      }
      return total;
    },
  };
}
