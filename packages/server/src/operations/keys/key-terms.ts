import { appSettings } from '../../domain/app.ts';
import type { Statement } from '../../store/port/port.ts';
import * as sql from '../../store/queries/operator-statements.ts';
import type { ApiKeyRow } from '../../store/queries/registry.ts';
import { findApp } from '../apps/apps.ts';
import { defineBudget } from '../budgets/budget-changes.ts';
import { AdminError } from '../context/admin-error.ts';
import { auditLine } from '../context/audit-line.ts';
import type { AdminContext } from '../context/context.ts';
import { keyScope } from './key-document.ts';

export function expireKey(
  context: AdminContext,
  { id, expiresAt }: ApiKeyRow,
  end: number,
): readonly Statement[] {
  if (expiresAt !== undefined && expiresAt <= end) return [];
  const before = expiresAt === undefined ? undefined : new Date(expiresAt).toISOString();
  const after = new Date(end).toISOString();
  return [
    { sql: sql.expireKey, values: [id, end] },
    auditLine(context, { action: 'key.expire', subject: id, before, after }),
  ];
}

/** Throws an AdminError for an end in the past. */
export function refusePast({ clock }: AdminContext, expiresAt: number | undefined) {
  if (expiresAt === undefined || expiresAt > clock.now()) return;
  throw new AdminError(
    `the expiry time ${new Date(expiresAt).toISOString()} is in the past; use a later time`,
    { isBadValue: true },
  );
}

export function keyBudgets(
  context: AdminContext,
  id: string,
  limits: {
    readonly dailyPicoUsd?: bigint | undefined;
    readonly monthlyPicoUsd?: bigint | undefined;
  },
): readonly Statement[] {
  const caps = [
    { span: 'day', capPicoUsd: limits.dailyPicoUsd } as const,
    { span: 'month', capPicoUsd: limits.monthlyPicoUsd } as const,
  ];
  return caps.flatMap(({ span, capPicoUsd }) => {
    if (capPicoUsd === undefined) return [];
    return defineBudget(context, undefined, {
      ...{ scope: keyScope(id), span, capPicoUsd, mode: 'enforce', isVisible: true },
      ...{ members: undefined, origin: 'command', sinceMs: context.clock.now() },
      fileValues: undefined,
    });
  });
}

export type KeyGrowth =
  | 'one-more'
  /** Each key may have one more working key until the replaced key ends. */
  | 'replaced';

/**
 * Must come after the key's change: it blocks the write where more keys than `keysMax` would work.
 * {@link changeRegistry} locks out others until then.
 */
export function withinKeysMax(context: AdminContext, app: string, growth: KeyGrowth): Statement {
  const times = growth === 'replaced' ? 2 : 1;
  const values = [app, context.clock.now(), times, appSettings.keysMax.initial];
  return { sql: sql.checkKeysMax, values, abortIfNoRows: true };
}

export async function keysMaxError(
  context: AdminContext,
  name: string,
  growth: KeyGrowth,
): Promise<AdminError> {
  const { keysMax } = await findApp(context, name);
  const cures = `disable unneeded keys ("keys disable ID"), or ask an operator to raise keysMax ("apps update ${name} --keys-max N")`;
  if (growth === 'replaced') {
    return new AdminError(
      `the app ${name} has ${keysMax * 2} working keys, twice its keysMax of ${keysMax}; wait until rotated keys end, ${cures}`,
    );
  }
  return new AdminError(
    `the app ${name} has reached keysMax, its limit of working keys (${keysMax}); ${cures}. You can also rotate a key with a grace period ("keys rotate ID --grace-period 24h"), which ends the old key`,
  );
}
