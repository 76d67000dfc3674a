import type { Attempt, CallRecord } from '../../books/rows.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import { type BookedSum, undatedModel } from '../../invoices/compare.ts';
import { otherModels } from '../../ledger/usage-names.ts';
import { utcDayOf } from '../../lib/clock.ts';
import { firstCallIdAt } from '../../lib/id.ts';
import type { Store } from '../../store/port/port.ts';
import {
  type CallSpan,
  type CallStep,
  type DayRange,
  selectAttemptsBetween,
  selectBookedSums,
  selectCostlyCalls,
} from '../../store/queries/invoices.ts';
import { recordedAttempts } from './call-attempts.ts';

/** As many calls as a few megabytes hold. */
const stepCalls = 2_000;
const dayMs = 86_400_000;
/** Process clocks may differ, and streams last for hours. */
const idSlackMs = dayMs;
/** This near midnight, a platform may book an attempt on the other day. */
const bandMs = 600_000;

/** An attempt, or a call known to have no attempts. */
export interface BookedAttempt {
  readonly callId: string;
  readonly app: string;
  /** Undefined for a call without attempt rows. */
  readonly n: number | undefined;
  readonly platform: string;
  /** The platform's name for the model, without a date. */
  readonly model: string;
  readonly exact: bigint;
  readonly estimated: bigint;
  /** The UTC day on which the attempt ended. */
  readonly day: string;
  /** Days on which the platform may bill it. */
  readonly nearDays: readonly string[];
  readonly call: CallRecord;
}

interface BooksParts {
  readonly store: Pick<Store, 'read'>;
  readonly catalog: Catalog;
}

/**
 * Returns sums by platform. The database adds up calls' own rows. Attempts with their own rows or
 * near midnight are read one by one.
 */
export async function bookedSums(
  parts: BooksParts,
  range: DayRange,
): Promise<ReadonlyMap<string, readonly BookedSum[]>> {
  const sums = new Map<string, Sum>();
  const sumAt = ({ platform, app, model }: Omit<Sum, Amount>, day: string) => {
    const key = JSON.stringify([platform, day, app, model]);
    const existing = sums.get(key);
    if (existing !== undefined) return existing;
    const made = { platform, day, app, model, exact: 0n, estimated: 0n, band: 0n };
    sums.set(key, made);
    return made;
  };
  const plainSums = await parts.store.read(selectBookedSums(spanOf(range), otherModels));
  for (const plain of plainSums) {
    const sum = sumAt({ ...plain, ...billedModelOf(parts.catalog, plain) }, plain.day);
    sum.exact += plain.exact;
    sum.estimated += plain.estimated;
  }
  for await (const attempt of attemptsIn(parts, { ...spanOf(range), isApart: true })) {
    const sum = sumAt(attempt, attempt.day);
    sum.exact += attempt.exact;
    sum.estimated += attempt.estimated;
    if (attempt.nearDays.length < 2) continue;
    for (const day of attempt.nearDays) {
      sumAt(attempt, day).band += attempt.exact + attempt.estimated;
    }
  }
  const inRange = [...sums.values()].filter(({ day }) => day >= range.from && day <= range.to);
  return Map.groupBy(inRange, ({ platform }) => platform);
}

type Sum = { -readonly [Key in keyof BookedSum]: BookedSum[Key] } & { readonly platform: string };
type Amount = 'day' | 'exact' | 'estimated' | 'band';

/**
 * Yields attempts with a cost that ended on these days, or near enough to be billed there, ordered
 * by call id.
 */
export function bookedAttempts(parts: BooksParts, range: DayRange): AsyncGenerator<BookedAttempt> {
  return attemptsIn(parts, spanOf(range));
}

function spanOf({ from, to }: DayRange): CallSpan {
  const firstMs = Date.parse(from);
  return {
    afterId: firstCallIdAt(firstMs - dayMs - idSlackMs),
    beforeId: firstCallIdAt(Date.parse(to) + dayMs + idSlackMs),
    endedSince: firstMs - bandMs,
  };
}

/** Reads in steps: a month needs no more memory than an hour. */
async function* attemptsIn(
  { store, catalog }: BooksParts,
  span: Omit<CallStep, 'limit'>,
): AsyncGenerator<BookedAttempt> {
  let { afterId } = span;
  for (;;) {
    const calls = await store.read(selectCostlyCalls({ ...span, afterId, limit: stepCalls }));
    const [first, last] = [calls[0], calls.at(-1)];
    if (first === undefined || last === undefined) return;
    const rows = await store.read(selectAttemptsBetween(first.callId, last.callId));
    const byCall = Map.groupBy(rows, ({ callId }) => callId);
    for (const call of calls) yield* attemptsOfCall(catalog, call, byCall.get(call.callId) ?? []);
    if (calls.length < stepCalls) return;
    afterId = last.callId;
  }
}

type AttemptModel = Pick<Attempt, 'model' | 'platform'>;

/** Older versions recorded no platform: the model's current platform counts. */
function billedModelOf(catalog: Catalog, attempted: AttemptModel) {
  const { platform: today, upstreamModel } = catalog.model(attempted.model);
  return { platform: attempted.platform ?? today, model: undatedModel(upstreamModel) };
}

function attemptsOfCall(
  catalog: Catalog,
  call: CallRecord,
  rows: readonly Attempt[],
): readonly BookedAttempt[] {
  const { callId, app } = call;
  const facts = (attempted: AttemptModel, startMs: number, endMs: number) => {
    const day = utcDayOf(endMs);
    const near = new Set([utcDayOf(startMs - bandMs), day, utcDayOf(endMs + bandMs)]);
    return { callId, app, call, ...billedModelOf(catalog, attempted), day, nearDays: [...near] };
  };
  if (rows.length > 0) {
    return rows.map((row) => {
      const isEstimated = row.basis === 'estimated';
      const endMs = row.startedAt + row.tookMs;
      const amounts = isEstimated
        ? { exact: 0n, estimated: row.cost }
        : { exact: row.cost, estimated: 0n };
      return { ...facts(row, endMs, endMs), n: row.n, ...amounts };
    });
  }
  const last = call.attempts === '[]' ? undefined : recordedAttempts(call).at(-1);
  const amounts = { exact: call.cost - call.estimated, estimated: call.estimated };
  if (last !== undefined) {
    const endMs = last.startedAt + last.tookMs;
    return [
      {
        ...facts({ model: last.model, platform: call.platform }, endMs, endMs),
        n: undefined,
        ...amounts,
      },
    ];
  }
  // For a call that was never settled, only its start and its abandonment are known.
  const model = call.usageModel === otherModels ? call.model : call.usageModel;
  const begun = facts({ model, platform: call.platform }, call.startedAt, call.endedAt);
  return [{ ...begun, day: utcDayOf(call.startedAt), n: undefined, ...amounts }];
}
