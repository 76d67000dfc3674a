import { formatUsd } from '../../lib/money.ts';

/**
 * Stored texts of settings have the store's names and amounts, such as `dailyBudgetPicoUsd`. People
 * read `dailyBudgetUsd`, in USD. The stored line stays: its hash covers it.
 */
export function noteText(stored: string | undefined): string | null {
  if (stored === undefined) return null;
  if (!stored.startsWith('{') || !/picoUsd/i.test(stored)) return stored;
  const note = parsed(stored);
  return note === undefined ? stored : JSON.stringify(inUsd(note));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function inUsd(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inUsd);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) =>
      /picoUsd/i.test(name) && isWhole(each)
        ? [name.replace('PicoUsd', 'Usd').replace('picoUsd', 'usd'), formatUsd(BigInt(each))]
        : [name, inUsd(each)],
    ),
  );
}

function isWhole(value: unknown): value is string | number {
  return /^-?\d+$/.test(String(value));
}
