import type { Attempt, CallRecord, Tokens } from '../../books/rows.ts';
import { hourRate, ratesFor } from '../../catalog/cost.ts';
import { estimateReasons, isEstimateReason } from '../../domain/doubt.ts';
import {
  type FlatPrice,
  inputParts,
  type ModelRates,
  outputParts,
  type PartCounts,
  type TokenPart,
} from '../../domain/rates.ts';
import { callIdOf } from '../../lib/id.ts';
import { formatUsd, formatUsdPerMillion } from '../../lib/money.ts';
import { selectBudget, selectCallRecord, selectIsStored } from '../../store/queries/ledger.ts';
import { type AdminContext, withOperatorReads } from '../context/context.ts';
import type { CallDocument, Receipt, ReceiptLine } from '../documents/calls.ts';
import { selectRates } from '../models/prices.ts';
import { attemptsOf } from './call-attempts.ts';
import { findCall } from './calls.ts';

/** Takes a call id or request id. Throws an AdminError for an unknown one. */
export async function readReceipt(operator: AdminContext, id: string): Promise<Receipt> {
  const context = withOperatorReads(operator);
  const call = await findCall(context, id);
  const none = { budget: null, isStored: false };
  const running = { call, lines: [], totalUsd: null, matches: true, ...none };
  if (call.state === 'running') return { ...running, remarks: ['it is still running'] };
  const callId = id.startsWith('req_') ? callIdOf(id) : id;
  const record = await context.store.read(selectCallRecord(callId));
  // A prune came between the two reads.
  if (record === undefined) return { ...running, remarks: ['its record was just pruned'] };
  const lines = await linesOf(context, record);
  const total = lines.reduce((sum, { amount }) => sum + amount, 0n);
  return {
    call,
    lines: lines.map(({ amount, ...line }) => ({ ...line, usd: formatUsd(amount) })),
    totalUsd: formatUsd(total),
    matches: total === record.cost && lines.every(({ kind }) => kind !== 'other'),
    remarks: remarksOf(record, call),
    budget: await budgetOf(context, record),
    isStored: await context.store.read(selectIsStored(callId)),
  };
}

export interface Line extends Omit<ReceiptLine, 'usd'> {
  /** Pico-USD. */
  readonly amount: bigint;
}

async function linesOf({ store }: AdminContext, call: CallRecord): Promise<readonly Line[]> {
  const lines: Line[] = [];
  for (const attempt of await attemptsOf(store, call)) {
    const { priceVersion } = attempt;
    const price = priceVersion === undefined ? null : await store.read(selectRates(priceVersion));
    lines.push(...attemptLines(attempt, price));
  }
  const rest = call.cost - lines.reduce((sum, { amount }) => sum + amount, 0n);
  if (rest !== 0n) lines.push({ ...ofNoTokens, attempt: null, kind: restKind(call), amount: rest });
  return lines;
}

const ofNoTokens = { tokens: null, usdPerMillion: null } as const;

function restKind({ basis, estimated }: CallRecord): Line['kind'] {
  if (basis === 'corrected') return 'corrected';
  return estimated > 0n ? 'estimate' : 'other';
}

export function attemptLines(attempt: Attempt, price: ModelRates | null): readonly Line[] {
  const { n, basis, cost, tokens } = attempt;
  const parts = countsFrom(attempt.tokenParts);
  if (cost === 0n && basis !== 'exact') return [];
  if (basis !== 'exact') {
    const kind = basis === 'corrected' ? 'corrected' : 'estimate';
    return [{ ...ofNoTokens, attempt: n, kind, amount: cost }];
  }
  const ofTokens = price === null ? [] : pricedLines(n, { tokens, parts }, price);
  const lines = [...ofTokens, ...flatLines(n, countsFrom(attempt.toolUses), price?.flat ?? {})];
  const rest = cost - lines.reduce((sum, { amount }) => sum + amount, 0n);
  if (rest === 0n) return lines;
  return [...lines, { ...ofNoTokens, attempt: n, kind: 'other', amount: rest }];
}

/** Must match the catalog's `cost`; kinds without tokens have no line. */
function pricedLines(
  attempt: number,
  { tokens, parts }: { readonly tokens: Tokens; readonly parts: PartCounts },
  price: ModelRates,
): readonly Line[] {
  const rates = ratesFor(price, tokens.inputTokens);
  const { cachedInputTokens: cached, cacheWriteInputTokens: written } = tokens;
  const forHour = Math.min(tokens.cacheWrite1hInputTokens ?? 0, written);
  const ofParts = (names: readonly TokenPart[]) => {
    return names.map((part) => [part, parts[part] ?? 0, rates.parts?.[part] ?? 0n] as const);
  };
  const [inInput, inOutput] = [ofParts(inputParts), ofParts(outputParts)];
  const sumOf = (lines: typeof inInput) => lines.reduce((sum, [, count]) => sum + count, 0);
  const fresh = tokens.inputTokens - cached - written - sumOf(inInput);
  const counts: readonly (readonly [Line['kind'], tokens: number, rate: bigint])[] = [
    ['input', Math.max(fresh, 0), rates.inputPicoUsd],
    ...inInput,
    ['cachedInput', cached, rates.cachedInputPicoUsd],
    ['cacheWriteInput', written - forHour, rates.cacheWriteInputPicoUsd],
    ['cacheWrite1hInput', forHour, hourRate(rates)],
    ['output', Math.max(tokens.outputTokens - sumOf(inOutput), 0), rates.outputPicoUsd],
    ...inOutput,
  ];
  return counts
    .filter(([, count]) => count > 0)
    .map(([kind, count, rate]) => {
      const usdPerMillion = formatUsdPerMillion(rate);
      return { attempt, kind, tokens: count, usdPerMillion, amount: BigInt(count) * rate };
    });
}

/** Must match the catalog's `flatCost`. */
function flatLines(
  n: number,
  uses: Readonly<Record<string, number>>,
  flat: FlatPrice,
): readonly Line[] {
  const lines: Line[] = [];
  const add = (kind: 'request' | 'toolUse', count: number, each: bigint, tool?: string) => {
    const counted = { count, usdEach: formatUsd(each), ...(tool !== undefined && { tool }) };
    const amount = BigInt(count) * each;
    if (amount > 0n) lines.push({ ...ofNoTokens, attempt: n, kind, ...counted, amount });
  };
  add('request', 1, flat.perRequestPicoUsd ?? 0n);
  for (const [tool, count] of Object.entries(uses))
    add('toolUse', count, flat.toolUses?.[tool]?.picoUsd ?? 0n, tool);
  return lines;
}

function countsFrom(text = '{}'): Readonly<Record<string, number>> {
  return JSON.parse(text);
}

function reasonText(reason: string | undefined): string {
  if (reason === undefined) return 'the platform reported no token counts';
  return isEstimateReason(reason) ? estimateReasons[reason] : reason;
}

function remarksOf(record: CallRecord, call: CallDocument): readonly string[] {
  const remarks: string[] = [];
  const { estimated, cost, basis, code, priceVersion } = record;
  if (estimated > 0n) {
    const part = estimated === cost ? 'its cost' : `$${formatUsd(estimated)} of its cost`;
    remarks.push(`${part} is an estimate: ${reasonText(record.estimateReason)}`);
  }
  for (const { actor, fromUsd, toUsd, at } of call.corrections) {
    remarks.push(`${actor} changed its cost from $${fromUsd ?? '0'} to $${toUsd ?? '0'} on ${at}`);
  }
  if (basis === 'corrected' && call.corrections.length === 0)
    remarks.push('its cost was corrected');
  if (priceVersion === undefined && basis !== 'free') remarks.push('its model had no price');
  if (basis === 'expired') remarks.push('its process ended before recording the result');
  if (code !== 'OK' && cost > 0n) remarks.push(`it ended with ${code} but is still billed`);
  return remarks;
}

/** The day's amounts are current: no record has the remaining budget at the call's admission. */
async function budgetOf(
  { store }: AdminContext,
  { app, day, cost, heldAtEnd }: CallRecord,
): Promise<Receipt['budget']> {
  const row = await store.read(selectBudget(app, day));
  const isFreed = heldAtEnd !== undefined && heldAtEnd >= cost;
  return {
    heldUsd: heldAtEnd === undefined ? null : formatUsd(heldAtEnd),
    bookedUsd: formatUsd(cost),
    freedUsd: isFreed ? formatUsd(heldAtEnd - cost) : null,
    dayCapUsd: row?.cap === undefined ? null : formatUsd(row.cap),
    daySpentUsd: formatUsd(row?.spent ?? 0n),
    dayHeldUsd: formatUsd(row?.held ?? 0n),
  };
}
