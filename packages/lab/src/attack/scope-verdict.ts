import { larger } from '@model-gateway/server/lib/money';
import type { Books, ScopeBook } from './books/books.ts';

export interface ScopeVerdict {
  readonly name: string;
  readonly capPicoUsd: bigint;
  readonly billedPicoUsd: bigint;
  readonly bookedPicoUsd: bigint;
  readonly overspendPicoUsd: bigint;
  /** Calls that would have fit, or that another budget than the full one rejected. */
  readonly falseRefusals: number;
}

export function judgeScope(
  { name, capPicoUsd, labels, crowd, fits }: ScopeBook,
  { billed, booked, callResults }: Pick<Books, 'billed' | 'booked' | 'callResults'>,
): ScopeVerdict {
  const sum = (calls: readonly { readonly label: string | undefined; picoUsd: bigint }[]) =>
    calls.reduce((total, { label, picoUsd }) => {
      return label !== undefined && labels.has(label) ? total + picoUsd : total;
    }, 0n);
  const billedPicoUsd = sum(billed);
  const bookedPicoUsd = sum(booked);
  const own = callResults.filter(({ label }) => crowd.has(label));
  const admitted = own.filter(({ kind }) => kind === 'answered').length;
  const misled = own.filter((call) => call.kind === 'refused' && call.scope !== name).length;
  return {
    ...{ name, capPicoUsd, billedPicoUsd, bookedPicoUsd },
    overspendPicoUsd: larger(0n, larger(billedPicoUsd, bookedPicoUsd) - capPicoUsd),
    falseRefusals: Math.max(0, fits - admitted) + misled,
  };
}
