import type { Reprice, Settle } from '../../src/books/operations.ts';
import type { Attempt, CallRecord } from '../../src/books/rows.ts';
import { least } from './oracle-books.ts';
import { isHighestPrice } from './oracle-promises.ts';

/** The rows of a settlement, whether or not its call was corrected earlier. */
export function settledAttempts({ attempts = [] }: Settle, call: CallRecord): readonly Attempt[] {
  return call.basis === 'corrected' ? spread(attempts, call.cost) : attempts;
}

/** A corrected cost first covers reported costs, then estimates. The last attempt has the rest. */
export function spread(attempts: readonly Attempt[], cost: bigint): readonly Attempt[] {
  const isEstimate = ({ basis }: Attempt) => basis === 'estimated';
  const inOrder = [
    ...attempts.filter((row) => !isEstimate(row)),
    ...attempts.filter((row) => isEstimate(row)),
  ];
  let remaining = cost;
  const parts = new Map<number, bigint>();
  for (const row of inOrder) {
    const part = least(row.cost, remaining);
    remaining -= part;
    parts.set(row.n, part);
  }
  const last = attempts.length;
  parts.set(last, (parts.get(last) ?? 0n) + remaining);
  return attempts.map((row) => ({ ...row, cost: parts.get(row.n) ?? 0n, basis: 'corrected' }));
}

/** Attempts without a price get one, where the operation has their cost. */
export function repriced(attempts: readonly Attempt[], operation: Reprice): readonly Attempt[] {
  const costs = new Map(operation.attempts?.map(({ n, cost }) => [n, cost]));
  return attempts.map((row) => {
    const cost = costs.get(row.n);
    const isPriced = row.priceVersion !== undefined && !isHighestPrice(row.priceVersion);
    if (cost === undefined || isPriced) return row;
    const basis = row.isCounted ? 'corrected' : row.basis;
    return { ...row, cost, basis, priceVersion: operation.priceVersion };
  });
}

export function sumOf(attempts: readonly Attempt[]): bigint {
  return attempts.reduce((sum, { cost }) => sum + cost, 0n);
}

/** Only an estimate has a reason. */
export function withReason<Row extends Pick<Attempt, 'estimateReason'>>(
  row: Row,
  isEstimate: boolean,
): Row {
  return { ...row, estimateReason: isEstimate ? row.estimateReason : undefined };
}

/** A call with a price that is known now. A remaining estimate keeps its reason. */
export function repricedCall(
  before: CallRecord,
  { priceVersion, cost, estimated }: Reprice,
  attempts: readonly Attempt[],
): CallRecord {
  const basis = estimated > 0n ? before.basis : 'corrected';
  const first = attempts.find((attempt) => attempt.basis === 'estimated');
  const estimateReason = before.estimateReason ?? first?.estimateReason;
  return { ...before, priceVersion, cost, estimated, basis, estimateReason };
}
