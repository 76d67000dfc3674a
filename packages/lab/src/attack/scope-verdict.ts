import { larger } from '@model-gateway/server/lib/money';
import type { Books, ScopeBook } from './books/books.ts';

/** What the books say of one cap among several that calls are held to. */
export interface ScopeVerdict {
  readonly name: string;
  readonly capPicoUsd: bigint;
  /** By the platform's own bill. */
  readonly billedPicoUsd: bigint;
  /** By the gateway's ledger. */
  readonly bookedPicoUsd: bigint;
  /** By which the bill or the ledger passed the cap. */
  readonly overspendPicoUsd: bigint;
  /** Calls that fitted, and such as were refused by another cap than the one that was full. */
  readonly falseRefusals: number;
}

/** Adds up the calls that a cap is for, by the attack's own reckoning of which they are. */
export function judgeScope(
  { name, capPicoUsd, labels, crowd, fits }: ScopeBook,
  { billed, booked, told }: Pick<Books, 'billed' | 'booked' | 'told'>,
): ScopeVerdict {
  const sum = (calls: readonly { readonly label: string | undefined; picoUsd: bigint }[]) =>
    calls.reduce((total, { label, picoUsd }) => {
      return label !== undefined && labels.has(label) ? total + picoUsd : total;
    }, 0n);
  const billedPicoUsd = sum(billed);
  const bookedPicoUsd = sum(booked);
  const own = told.filter(({ label }) => crowd.has(label));
  const admitted = own.filter(({ kind }) => kind === 'answered').length;
  const misled = own.filter((call) => call.kind === 'refused' && call.scope !== name).length;
  return {
    ...{ name, capPicoUsd, billedPicoUsd, bookedPicoUsd },
    overspendPicoUsd: larger(0n, larger(billedPicoUsd, bookedPicoUsd) - capPicoUsd),
    falseRefusals: Math.max(0, fits - admitted) + misled,
  };
}
