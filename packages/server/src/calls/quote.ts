import type { CallFields, QuoteAnswer } from '@model-gateway/contract';
import type { Reserve } from '../books/operations.ts';
import { type MoneyRows, previewReservation } from '../books/preview-reservation.ts';
import { type App, creditsIn } from '../domain/registered-app.ts';
import { budgetScopeOf } from '../ledger/budget-scope.ts';
import { creditsAnswer, readWallet } from '../ledger/credits-report.ts';
import { budgetOf } from '../ledger/usage-report.ts';
import { formatUsd } from '../lib/money.ts';
import type { Store } from '../store/port/port.ts';
import { selectBudget, selectScopes } from '../store/queries/ledger.ts';
import { admitCall } from './admission/admit.ts';
import { maxTokensThatFit } from './admission/bound.ts';
import type { Call } from './model/call.ts';
import { CallError } from './model/call-error.ts';
import type { AdmittedModels, RequestSize } from './model/candidate.ts';
import type { CallParts } from './parts.ts';
import { type ReserveRefusal, refusalOf } from './refusal.ts';
import { reservationOf } from './reserve.ts';
import { callInRun } from './runs/call-in-run.ts';

export type QuoteParts = Pick<
  CallParts,
  'routing' | 'catalog' | 'unpriced' | 'clock' | 'keyClock' | 'limits' | 'instanceId' | 'budgets'
> & { readonly store: Store };

export interface OtherModel {
  readonly model: string;
  readonly size: RequestSize;
}

/** Reserves nothing. */
export type Quotes = (
  call: Call<CallFields>,
  others: readonly OtherModel[],
) => Promise<QuoteAnswer>;

/**
 * Applies the admission and ledger rules to current rows. Throws the call's rejection, except for
 * lack of money, which it returns.
 */
export function createQuotes(parts: QuoteParts): Quotes {
  return async (requested, others) => {
    const { run } = requested.context;
    const call = run === undefined ? requested : callInRun(requested, run);
    if (call instanceof CallError) throw call;
    const nowMs = parts.clock.now();
    const { admitted, reservation } = prepareReservation(parts, call, nowMs);
    const rows = await readRows(parts.store, call.context.app, reservation);
    const refused = refusalIn(rows, reservation);
    if (refused?.code === 'INVALID') throw refusalOf(parts, refused, { ...call, admitted });
    const { app } = call.context;
    const { mostExpensive } = admitted;
    const { day } = reservation.facts;
    return {
      fits: refused === undefined,
      code: refused?.code ?? null,
      model: call.request.model,
      maxCostUsd: maxCostOf(admitted),
      inputTokensAtMost: mostExpensive.bound.inputTokens,
      outputTokensAtMost: mostExpensive.bound.outputTokens,
      binding: refused === undefined ? null : bindingOf(refused),
      budget: budgetOf(app, { day, today: day }, rows.budget),
      wallet:
        rows.wallet === undefined
          ? null
          : creditsAnswer(rows.wallet, nowMs, reservation.wallet?.closedAt),
      maxTokensThatFit: fittingTokens(rows, reservation, admitted, call.size),
      others: others.map((other) => quotedModel(parts, call, other, { rows, nowMs })),
    };
  };
}

/** Throws the rejection. */
function prepareReservation(parts: QuoteParts, call: Call<CallFields>, nowMs: number) {
  const admission = admitCall(parts, call);
  if (admission instanceof CallError) throw admission;
  const { admitted } = admission;
  // A quote makes no call, so it has no call id, and its model gets no name in usage.
  const named = { callId: '', usageModel: '', nowMs };
  const operation = reservationOf(parts, call, admitted, named);
  const reservation: Reserve = { kind: 'reserve', ...operation };
  return { admitted, reservation };
}

async function readRows(
  store: Store,
  app: App,
  { facts, scopes: claims }: Reserve,
): Promise<MoneyRows> {
  const { day, month, userId } = facts;
  const credits = month === undefined ? undefined : creditsIn(app, month);
  const isMetered = credits !== undefined && month !== undefined && userId !== undefined;
  const [budget, scopes, wallet] = await Promise.all([
    store.read(selectBudget(app.name, day)),
    claims.length === 0 ? [] : store.read(selectScopes(claims)),
    isMetered ? readWallet(store, { app: app.name, userId, credits }, month) : undefined,
  ]);
  const none = { admittedCap: undefined, spent: 0n, held: 0n, estimated: 0n, overrun: 0n };
  return {
    scopes,
    budget: budget ?? { app: app.name, day, cap: app.dailyBudgetPicoUsd, ...none },
    wallet,
  };
}

function refusalIn(rows: MoneyRows, reservation: Reserve): ReserveRefusal | undefined {
  const outcome = previewReservation(rows, reservation);
  return outcome.kind === 'refused' ? outcome : undefined;
}

function quotedModel(
  parts: QuoteParts,
  call: Call<CallFields>,
  { model, size }: OtherModel,
  { rows, nowMs }: { readonly rows: MoneyRows; readonly nowMs: number },
): QuoteAnswer['others'][number] {
  try {
    const other = { ...call, request: { ...call.request, model }, size };
    const { admitted, reservation } = prepareReservation(parts, other, nowMs);
    const refused = refusalIn(rows, reservation);
    const maxCostUsd = maxCostOf(admitted);
    return { model, maxCostUsd, fits: refused === undefined, code: refused?.code ?? null };
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    return { model, maxCostUsd: null, fits: false, code: error.code };
  }
}

function maxCostOf({ mostExpensive: { bound } }: AdmittedModels): string | null {
  return bound.price === undefined ? null : formatUsd(bound.amountPicoUsd);
}

/** Null for embeddings, which have no `maxTokens`. */
function fittingTokens(
  rows: MoneyRows,
  reservation: Reserve,
  { model, candidates }: AdmittedModels,
  size: RequestSize,
): number | null {
  if (model.kind === 'embeddings') return null;
  const fits = (amount: bigint) =>
    previewReservation(rows, { ...reservation, amount }).kind === 'reserved';
  return maxTokensThatFit(size, candidates, fits);
}

/** The wallet is the limit only if no budget is. */
function bindingOf(refused: ReserveRefusal): string {
  if (refused.code !== 'BUDGET_EXCEEDED') return 'wallet';
  return refused.scope === undefined ? 'budget' : budgetScopeOf(refused.scope);
}
