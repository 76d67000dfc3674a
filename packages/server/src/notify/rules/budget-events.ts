import type { AlertType } from '../../domain/notify.ts';
import { formatUsd } from '../../lib/money.ts';
import type { AlertEvent } from '../events.ts';
import { type BudgetUse, budgetData } from './budget-use.ts';
import { type SentEvents, sentKeyOf } from './sent-events.ts';

/** A threshold whose budget was raised, so its event may be sent again. */
export interface RaisedMark {
  readonly budgetKey: string;
  readonly key: string;
  readonly mark: string;
  /** The earlier event's id; undefined unless read from the store. */
  readonly id: string | undefined;
}

/** `raised` marks must be released before the events are raised. */
export interface BudgetEvents {
  readonly events: readonly AlertEvent[];
  readonly raised: readonly RaisedMark[];
}

export interface EventContext {
  readonly sent: Pick<SentEvents, 'of'>;
  readonly before: ReadonlyMap<string, bigint>;
  readonly marks: readonly number[];
  readonly nowMs: number;
}

/** Excludes events that were already sent. */
export function budgetEvents(uses: readonly BudgetUse[], context: EventContext): BudgetEvents {
  const events: AlertEvent[] = [];
  const raised: RaisedMark[] = [];
  const marks = context.marks.map((percent) => {
    const mark = String(percent);
    return { percent, mark, key: sentKeyOf('budget.threshold', mark) };
  });
  for (const use of uses) {
    const { budgetKey } = use;
    const sent = context.sent.of(budgetKey);
    for (const mark of marks) {
      const state = stateOf(use, mark.percent, sent?.get(mark.key), context.before.get(budgetKey));
      if (state === 'due') events.push(thresholdOf(use, mark, context.nowMs));
      if (state === 'raised') {
        raised.push({ budgetKey, ...mark, id: sent?.get(mark.key)?.id });
      }
    }
    const isSent = (type: AlertType) => sent?.has(sentKeyOf(type, '')) === true;
    const forecast = isSent('budget.forecast') ? undefined : forecastOf(use, context.nowMs);
    if (forecast !== undefined) events.push(forecast);
    for (const event of dayEventsOf(use, context.nowMs))
      if (!isSent(event.type)) events.push(event);
  }
  return { events, raised };
}

/**
 * An event is due again only if the budget has been raised since, and the previous check was below
 * this share.
 */
function stateOf(
  use: BudgetUse,
  percent: number,
  sent: { readonly capPicoUsd: bigint | undefined } | undefined,
  usedBefore: bigint | undefined,
): 'due' | 'raised' | undefined {
  const { capPicoUsd: cap, spentPicoUsd, heldPicoUsd } = use;
  if (cap === undefined || cap === 0n) return undefined;
  const used = spentPicoUsd + heldPicoUsd;
  const reaches = (amount: bigint) => amount * 100n >= cap * BigInt(percent);
  if (sent === undefined) return reaches(used) ? 'due' : undefined;
  if (sent.capPicoUsd === undefined || cap <= sent.capPicoUsd) return undefined;
  return reaches(used) && reaches(usedBefore ?? used) ? undefined : 'raised';
}

function thresholdOf(
  use: BudgetUse,
  { percent, mark }: { readonly percent: number; readonly mark: string },
  atMs: number,
): AlertEvent {
  const { scope: subject, period, apps, capPicoUsd = 1n } = use;
  return {
    ...{ type: 'budget.threshold', subject, period, mark, atMs, apps, percent },
    data: { ...budgetData(use, capPicoUsd), percent },
  };
}

/**
 * Extrapolates spending without reservations, which are maximum costs. Starts after a tenth of the
 * period or a fifth of the budget.
 */
function forecastOf(use: BudgetUse, nowMs: number): AlertEvent | undefined {
  const { scope: subject, period, apps, capPicoUsd: cap, spentPicoUsd: spent } = use;
  // Most budgets stop here, before any date arithmetic.
  if (cap === undefined || spent * 10n < cap || spent + use.heldPicoUsd >= cap) return undefined;
  const { startMs, endMs } = use;
  const fromMs = Math.max(startMs, use.sinceMs);
  const elapsedMs = BigInt(nowMs - fromMs);
  const allMs = BigInt(endMs - fromMs);
  if (elapsedMs <= 0n || elapsedMs >= allMs) return undefined;
  if (elapsedMs * 10n < allMs && spent * 5n < cap) return undefined;
  if (spent * allMs <= cap * elapsedMs) return undefined;
  const usedUpMs = fromMs + Number((cap * elapsedMs) / spent);
  return {
    ...{ type: 'budget.forecast', subject, period, mark: '', atMs: nowMs, apps },
    data: { ...budgetData(use, cap), usedUpAt: new Date(usedUpMs).toISOString() },
  };
}

const estimatedFromPicoUsd = 10n ** 12n;

function dayEventsOf(use: BudgetUse, atMs: number): readonly AlertEvent[] {
  const { scope: subject, period, apps, day, spentPicoUsd: spent } = use;
  if (day === undefined) return none;
  const { app, estimated, overrun } = day;
  const isEstimated = spent > estimatedFromPicoUsd && estimated * 20n > spent;
  if (overrun === 0n && !isEstimated) return none;
  const same = { subject, period, mark: '', atMs, apps };
  const common = { app, day: period, spentUsd: formatUsd(spent) };
  const events: AlertEvent[] = [];
  if (overrun > 0n) {
    const data = { ...common, overrunUsd: formatUsd(overrun) };
    events.push({ type: 'budget.overrun', ...same, data });
  }
  if (isEstimated) {
    const percent = Number((estimated * 100n) / spent);
    const data = { ...common, estimatedUsd: formatUsd(estimated), percent };
    events.push({ type: 'estimates.grow', ...same, data });
  }
  return events;
}

const none: readonly AlertEvent[] = [];
