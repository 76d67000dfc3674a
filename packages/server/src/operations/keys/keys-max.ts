import { appSettings } from '../../domain/app.ts';
import type { Statement } from '../../store/port.ts';
import * as sql from '../../store/queries/operator-statements.ts';
import { findApp } from '../apps/apps.ts';
import { AdminError } from '../context/admin-error.ts';
import type { AdminContext } from '../context/context.ts';

export type KeyGrowth =
  | 'one-more'
  /** One more works until the replaced key ends: each key may have one such. */
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
  const cures = `disable keys that are not needed ("keys disable ID"), or have an operator raise keysMax ("apps update ${name} --keys-max N")`;
  if (growth === 'replaced') {
    return new AdminError(
      `the app ${name} has ${keysMax * 2} keys that work, twice its keysMax of ${keysMax}: wait until rotated keys have ended, ${cures}`,
    );
  }
  return new AdminError(
    `the app ${name} may have ${keysMax} keys that work at the same time (keysMax): ${cures}; a rotation with a grace ("keys rotate ID --grace 24h") is possible, since it ends the old key`,
  );
}
