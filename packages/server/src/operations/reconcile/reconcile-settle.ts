import type { Catalog } from '../../catalog/catalog.ts';
import { formatUsd } from '../../lib/money.ts';
import { selectInvoicePlatforms } from '../../store/queries/invoices.ts';
import { type BookedAttempt, bookedAttempts } from '../calls/booked-sums.ts';
import { auditLine, auditNote } from '../context/audit-line.ts';
import type { AdminContext } from '../context/context.ts';
import type { SettledDocument } from '../documents/reconcile.ts';
import { compareDays } from './reconcile-show.ts';

interface Target {
  readonly platform: string;
  readonly day: string;
  readonly app: string;
  readonly model: string | undefined;
  readonly amount: bigint;
  readonly attempts: BookedAttempt[];
}

export interface SettledPart {
  readonly platform?: string | undefined;
  readonly app?: string | undefined;
}

/** The maximum number of concurrent ledger operations. */
const stepMax = 256;

/** Changes nothing. */
export async function planSettlement(
  context: AdminContext,
  catalog: Catalog,
  day: string,
  only: SettledPart = {},
): Promise<readonly SettledDocument[]> {
  return (await targetsOf(context, catalog, day, only)).map(documentOf);
}

/**
 * Makes each app and model match its invoice on a final day. Settles only `explained` parts, and
 * only lowers estimates: their reservations limit the true cost. Can be interrupted and repeated.
 */
export async function settleDay(
  context: AdminContext,
  catalog: Catalog,
  day: string,
  only: SettledPart = {},
): Promise<readonly SettledDocument[]> {
  const targets = await targetsOf(context, catalog, day, only);
  const changes = new Map<string, Change[]>();
  for (const { amount, attempts } of targets) {
    const parts = distribute(
      amount,
      attempts.map(({ estimated }) => estimated),
    );
    for (const [index, attempt] of attempts.entries()) {
      const ofCall = changes.get(attempt.callId) ?? [];
      ofCall.push({ attempt, estimate: parts[index] ?? 0n });
      changes.set(attempt.callId, ofCall);
    }
  }
  const all = [...changes.values()];
  for (let at = 0; at < all.length; at += stepMax) {
    await Promise.all(all.slice(at, at + stepMax).map((ofCall) => settleCall(context, ofCall)));
  }
  const lines = targets.map((target) => {
    const { platform, app, model = 'all models' } = target;
    const { beforeUsd: before, afterUsd: after } = documentOf(target);
    const subject = `${app} on ${platform}, ${day}, ${model}`;
    return auditLine(context, { action: 'invoice.settle', subject, before, after });
  });
  if (lines.length > 0) await context.store.write(lines);
  return targets.map(documentOf);
}

interface Change {
  readonly attempt: BookedAttempt;
  readonly estimate: bigint;
}

async function settleCall(context: AdminContext, changes: readonly Change[]): Promise<void> {
  const [first] = changes;
  if (first === undefined) return;
  const { callId, app, day, userId, month, cost: costBefore } = first.attempt.call;
  const cost = changes.reduce(
    (sum, { attempt, estimate }) => sum - attempt.estimated + estimate,
    costBefore,
  );
  const attempts = changes.flatMap(({ attempt, estimate }) =>
    attempt.n === undefined ? [] : [{ n: attempt.n, cost: estimate }],
  );
  const line = auditNote(context, { action: 'call.settle', subject: callId });
  await context.queue.submit({
    ...{ kind: 'correct', callId, app, day, userId, month, cost, line },
    estimates: { costBefore, attempts },
  });
}

async function targetsOf(
  context: AdminContext,
  catalog: Catalog,
  day: string,
  only: SettledPart,
): Promise<readonly Target[]> {
  const range = { from: day, to: day };
  const imported = await context.store.read(selectInvoicePlatforms);
  const platforms = imported.filter((name) => name === (only.platform ?? name));
  const compared = await compareDays(context, catalog, { ...range, platforms });
  const targets = compared.flatMap(({ platform, rows }) =>
    rows.flatMap(({ verdict, isFinal, app, model, exact, estimated, invoice }): Target[] => {
      const amount = invoice - exact;
      // The settlement of the adjacent day corrects differences that only midnight explains.
      const isInside = amount >= 0n && amount <= estimated && estimated > 0n;
      if (verdict !== 'explained' || !isFinal || app === undefined || !isInside) return [];
      if (app !== (only.app ?? app)) return [];
      return [{ platform, day, app, model, amount, attempts: [] }];
    }),
  );
  if (targets.length === 0) return [];
  const { store } = context;
  for await (const attempt of bookedAttempts({ store, catalog }, range)) {
    if (attempt.day !== day || attempt.estimated === 0n) continue;
    targets.find((target) => isOf(target, attempt))?.attempts.push(attempt);
  }
  return targets;
}

function isOf({ platform, app, model }: Target, attempt: BookedAttempt): boolean {
  if (platform !== attempt.platform || app !== attempt.app) return false;
  return model === undefined || model === attempt.model;
}

function documentOf({ platform, day, app, model, amount, attempts }: Target): SettledDocument {
  const before = attempts.reduce((sum, { estimated }) => sum + estimated, 0n);
  return {
    ...{ platform, day, app, model: model ?? null },
    calls: new Set(attempts.map(({ callId }) => callId)).size,
    beforeUsd: formatUsd(before),
    afterUsd: formatUsd(amount),
  };
}

/**
 * Parts add up to the amount: they are rounded down, and the largest remainders get one more, in
 * order. No part exceeds its weight while the amount is at most their sum.
 */
export function distribute(amount: bigint, weights: readonly bigint[]): readonly bigint[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0n);
  if (total === 0n) return weights;
  const parts = weights.map((weight) => (amount * weight) / total);
  const remainders = weights.map((weight, index) => ({ index, rest: (amount * weight) % total }));
  let remaining = amount - parts.reduce((sum, part) => sum + part, 0n);
  // Relies on a stable sort: equal remainders keep their order.
  remainders.sort((a, b) => (a.rest === b.rest ? 0 : a.rest > b.rest ? -1 : 1));
  for (const { index } of remainders) {
    if (remaining === 0n) break;
    parts[index] = (parts[index] ?? 0n) + 1n;
    remaining -= 1n;
  }
  return parts;
}
