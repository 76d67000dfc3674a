import { lostCode } from '../../books/expire.ts';
import type { Attempt, CallRecord } from '../../books/rows.ts';
import { isUnpriced } from '../../books/usage.ts';
import type { Catalog, Price } from '../../catalog/catalog.ts';
import { cost } from '../../catalog/cost.ts';
import { standardPrice } from '../../catalog/terms.ts';
import { firstCallIdAt } from '../../lib/id.ts';
import { formatUsd } from '../../lib/money.ts';
import { listedNames } from '../../lib/nearest.ts';
import type { Query } from '../../store/port/port.ts';
import * as sql from '../../store/queries/operator-statements.ts';
import * as tables from '../../store/schema/tables.ts';
import { AdminError } from '../context/admin-error.ts';
import { auditLine, auditNote } from '../context/audit-line.ts';
import type { AdminContext } from '../context/context.ts';
import type { RepriceResult } from '../documents/calls.ts';
import { savePrices } from '../models/prices.ts';
import { attemptsOf, hasAttemptRows } from './call-attempts.ts';

export type Repricing = Pick<RepriceResult, 'model' | 'since'>;

/** Blocks the database for a few milliseconds. */
const stepMax = 256;

/** Process clocks may differ. */
const idSlackMs = 86_400_000;

/**
 * Books calls that had no price at the time, each on its own day. Corrected records and records
 * without counts stay. Can be interrupted and repeated. Throws an AdminError while the model has no
 * price.
 */
export async function repriceCalls(
  context: AdminContext,
  catalog: Catalog,
  repricing: Repricing,
): Promise<RepriceResult> {
  const { model, since } = repricing;
  const price = priceOf(catalog, model);
  await savePrices(context.store, [{ ...price, model }]);
  const sums = createSums();
  const step = { context, model, price, sums };
  await eachStep(context, repricing, (records) => repriceStep({ ...step, records }));
  const result = repricedOf(repricing, sums);
  const change = { action: 'model.reprice', subject: `${model} since ${since}` };
  const line = auditLine(context, { ...change, before: result.beforeUsd, after: result.afterUsd });
  if (result.calls > 0) await context.store.write([line]);
  return result;
}

/** Changes nothing. Throws as the change does. */
export async function planReprice(
  context: AdminContext,
  catalog: Catalog,
  repricing: Repricing,
): Promise<RepriceResult> {
  const { model } = repricing;
  const price = priceOf(catalog, model);
  const sums = createSums();
  await eachStep(context, repricing, async (records) => {
    for (const record of records) {
      if (record.code === lostCode) continue;
      const repriced = repricedCost(await attemptsOf(context.store, record), { model, price });
      if (repriced !== undefined) add(sums, record.cost, repriced);
    }
  });
  return repricedOf(repricing, sums);
}

function priceOf(catalog: Catalog, model: string): Price {
  const alias = catalog.alias(model);
  if (alias !== undefined) {
    const ids = listedNames(alias.models.map(({ id }) => id));
    throw new AdminError(`${model} is an alias without its own price; use ${ids}`);
  }
  const { price } = catalog.model(model);
  // A model without a price is called in the standard tier.
  if (price !== undefined) return standardPrice(price);
  throw new AdminError(
    `the model ${model} has no price yet; add one to models in the configuration and try again`,
  );
}

type Sums = ReturnType<typeof createSums>;

function createSums() {
  return { calls: 0, estimatedCalls: 0, before: 0n, after: 0n };
}

function add(sums: Sums, costBefore: bigint, { cost, estimated }: RepricedCost) {
  sums.calls += 1;
  if (estimated > 0n) sums.estimatedCalls += 1;
  sums.before += costBefore;
  sums.after += cost;
}

function repricedOf({ model, since }: Repricing, sums: Sums): RepriceResult {
  const { calls, estimatedCalls } = sums;
  const amounts = { beforeUsd: formatUsd(sums.before), afterUsd: formatUsd(sums.after) };
  return { model, since, calls, estimatedCalls, ...amounts };
}

async function eachStep(
  context: AdminContext,
  repricing: Repricing,
  work: (records: readonly CallRecord[]) => Promise<void>,
): Promise<void> {
  let after = firstCallIdAt(Date.parse(repricing.since) - idSlackMs);
  for (;;) {
    const records = await context.store.read(selectUnpricedCalls(repricing, after));
    await work(records);
    const last = records.at(-1);
    if (last === undefined || records.length < stepMax) return;
    after = last.callId;
  }
}

async function repriceStep(step: {
  readonly context: AdminContext;
  readonly model: string;
  readonly price: Price;
  readonly records: readonly CallRecord[];
  readonly sums: Sums;
}): Promise<void> {
  const { context, model, price, records, sums } = step;
  const work = records.map(async (record) => {
    const { callId, app, day, cost: costBefore } = record;
    const repriced = repricedCost(await attemptsOf(context.store, record), { model, price });
    if (repriced === undefined) return;
    const { cost, estimated } = repriced;
    const attempts = hasAttemptRows(record) ? repriced.attempts : undefined;
    const line = auditNote(context, { action: 'call.reprice', subject: callId });
    const outcome = await context.queue.submit({
      ...{ kind: 'reprice', callId, app, day, priceVersion: price.version },
      ...{ cost, estimated, costBefore, attempts, line },
    });
    if (outcome?.kind === 'repriced') add(sums, costBefore, repriced);
  });
  await Promise.all(work);
}

function selectUnpricedCalls(
  { model, since }: Repricing,
  after: string,
): Query<readonly CallRecord[]> {
  return {
    sql: sql.selectUnpricedCalls,
    values: [after, model, since, stepMax],
    isLong: true,
    map: (rows) => rows.map(tables.calls.read),
  };
}

interface RepricedCost {
  readonly cost: bigint;
  readonly estimated: bigint;
  /** Only attempts whose price changed. */
  readonly attempts: readonly Pick<Attempt, 'n' | 'cost'>[];
}

/**
 * Undefined where no newly priced attempt has counts. Attempts without counts keep their booked
 * amount: their billed part is unknown.
 */
function repricedCost(
  attempts: readonly Attempt[],
  { model, price }: { readonly model: string; readonly price: Price },
): RepricedCost | undefined {
  const repriced = attempts
    .filter((attempt) => attempt.model === model && isUnpriced(attempt.priceVersion))
    .filter(hasCounts)
    .map(({ n, tokens }) => {
      const parts = price.parts?.reasoning && { reasoning: tokens.reasoningTokens };
      return { n, cost: cost({ ...tokens, ...(parts && { parts }) }, price) };
    });
  if (repriced.length === 0) return undefined;
  // Without a price, no parts were counted.
  const isKnown = ({ isCounted }: Attempt) => isCounted && price.parts === undefined;
  let total = 0n;
  let estimated = 0n;
  for (const attempt of attempts) {
    const match = repriced.find(({ n }) => n === attempt.n);
    const amount = match?.cost ?? attempt.cost;
    total += amount;
    const isEstimated = attempt.basis === 'estimated';
    if (match === undefined ? isEstimated : !isKnown(attempt)) estimated += amount;
  }
  return { cost: total, estimated, attempts: repriced };
}

function hasCounts({ isCounted, tokens }: Attempt): boolean {
  return isCounted || tokens.inputTokens + tokens.outputTokens > 0;
}
