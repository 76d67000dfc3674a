import { addUsd, isUsd } from '../lib/usd.ts';

/** The billed cost of one call's attempts, as far as the gateway reported it. */
export interface Bill {
  /**
   * Adds an attempt's cost. Attempts of the same gateway call were billed once; `callId` is
   * undefined where the response has none.
   */
  note(callId: string | undefined, usd: unknown): void;
  /** The sum; `null` when an attempt has no price, `undefined` without any report. */
  totalUsd(): string | null | undefined;
}

export function createBill(): Bill {
  const amounts = new Map<string, string | null>();
  return {
    note(callId, usd) {
      // Without an id each attempt counts as a separate call: no id contains a space.
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
