import { type BilledDay, createBilledDays } from './billed-days.ts';
import type { TokenPrices } from './model/models.ts';
import type { TokenCounts } from './model/usage.ts';

export interface BilledCall extends TokenCounts {
  readonly requestId: string;
  readonly projectId: string;
  readonly model: string;
  readonly label?: string;
  readonly costPicoUsd: bigint;
  /** The time of the response, and so of the bill: milliseconds since 1970, UTC. */
  readonly at: number;
  /** False if the client had disconnected, or a fault dropped the response. */
  readonly answered: boolean;
}

export interface BillSum extends TokenCounts {
  readonly calls: number;
  readonly costPicoUsd: bigint;
}

export interface ProjectBill extends BillSum {
  readonly projectId: string;
}

export interface Bill {
  readonly total: BillSum;
  /** In the order of their first bill. */
  readonly projects: readonly ProjectBill[];
  /** The last 100,000, oldest first. */
  readonly calls: readonly BilledCall[];
  /** Calls that only the sums include. */
  readonly forgottenCalls: number;
  readonly missingProjectCalls: number;
  /** Calls whose response the platform had to store; a gateway should make none. */
  readonly storedCalls: number;
}

export interface Charge {
  readonly requestId: string;
  readonly projectId: string;
  readonly model: string;
  readonly label?: string | undefined;
  readonly usage: TokenCounts;
  readonly prices: TokenPrices | undefined;
  readonly at: number;
}

export interface BillBook {
  /** The returned function records that the response was delivered. */
  charge(charge: Charge): () => void;
  noteMissingProject(): void;
  noteStored(): void;
  sums(): Omit<Bill, 'calls'>;
  calls(): readonly BilledCall[];
  /** By project, UTC day, model and kind of token. */
  days(): readonly BilledDay[];
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

export function createBillBook(callsMax: number): BillBook {
  const total = emptySum();
  const projects = new Map<string, Mutable<BillSum>>();
  // A ring: the oldest call is at `start` once it is full.
  const recentCalls: Mutable<BilledCall>[] = [];
  let start = 0;
  let missingProjectCalls = 0;
  let storedCalls = 0;
  const billed = createBilledDays();
  return {
    charge({ requestId, projectId, model, label, usage, prices, at }) {
      const costPicoUsd = prices === undefined ? 0n : costOf(usage, prices);
      const project = projects.get(projectId) ?? emptySum();
      projects.set(projectId, project);
      billed.add({ projectId, model, at, usage, prices });
      add(total, usage, costPicoUsd);
      add(project, usage, costPicoUsd);
      const named = { requestId, projectId, model, ...(label !== undefined && { label }) };
      const call = { ...named, ...usage, costPicoUsd, at, answered: false };
      storeCall(call);
      return () => {
        call.answered = true;
      };
    },
    noteMissingProject() {
      missingProjectCalls++;
    },
    noteStored() {
      storedCalls++;
    },
    sums: () => ({
      total: { ...total },
      projects: [...projects].map(([projectId, sum]) => ({ projectId, ...sum })),
      forgottenCalls: total.calls - recentCalls.length,
      missingProjectCalls,
      storedCalls,
    }),
    days: billed.list,
    calls: () =>
      [...recentCalls.slice(start), ...recentCalls.slice(0, start)].map((call) => ({ ...call })),
  };

  function storeCall(call: Mutable<BilledCall>): void {
    if (recentCalls.length < callsMax) {
      recentCalls.push(call);
      return;
    }
    recentCalls[start] = call;
    start = (start + 1) % callsMax;
  }
}

/** Without a division. An hour in the cache costs twice the input price, as at Anthropic. */
export function costOf(usage: TokenCounts, prices: TokenPrices): bigint {
  const { inputTokens, cachedInputTokens, cacheWriteInputTokens, outputTokens } = usage;
  const { cacheWrite1hInputTokens: hourTokens = 0 } = usage;
  const plainTokens = inputTokens - cachedInputTokens - cacheWriteInputTokens;
  return (
    BigInt(plainTokens) * prices.input +
    BigInt(cachedInputTokens) * prices.cachedInput +
    BigInt(cacheWriteInputTokens - hourTokens) * prices.cacheWrite +
    BigInt(hourTokens) * prices.input * 2n +
    BigInt(outputTokens) * prices.output
  );
}

/** Money is decimal strings of pico-USD. */
export function encodeBill(bill: Omit<Bill, 'calls'> & Partial<Pick<Bill, 'calls'>>): string {
  return JSON.stringify(bill, (_key, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  );
}

function emptySum(): Mutable<BillSum> {
  return {
    calls: 0,
    inputTokens: 0,
    cachedInputTokens: 0,
    cacheWriteInputTokens: 0,
    outputTokens: 0,
    reasoningTokens: 0,
    costPicoUsd: 0n,
  };
}

function add(sum: Mutable<BillSum>, usage: TokenCounts, costPicoUsd: bigint): void {
  sum.calls++;
  sum.inputTokens += usage.inputTokens;
  sum.cachedInputTokens += usage.cachedInputTokens;
  sum.cacheWriteInputTokens += usage.cacheWriteInputTokens;
  sum.outputTokens += usage.outputTokens;
  sum.reasoningTokens += usage.reasoningTokens;
  sum.costPicoUsd += costPicoUsd;
}
