import { appSettings } from '../../domain/app.ts';
import type { Statement } from '../../store/port.ts';
import * as sql from '../../store/queries/operator-statements.ts';
import { AdminError } from '../admin-error.ts';
import { findApp } from '../apps/apps.ts';
import type { AdminContext } from '../context.ts';

/** What a change of keys makes of their number. */
export type KeyGrowth =
  /** One more key works. */
  | 'one-more'
  /** One more works until the one that it replaces has ended: each key may have such another. */
  | 'replaced';

/**
 * Comes after a key that was made or enabled, and lets nothing be written where its app then has
 * more that work than `keysMax`. {@link changeRegistry} keeps all others out until then.
 */
export function withinKeysMax(context: AdminContext, app: string, growth: KeyGrowth): Statement {
  const times = growth === 'replaced' ? 2 : 1;
  const values = [app, context.clock.now(), times, appSettings.keysMax.initial];
  return { sql: sql.checkKeysMax, values, abortIfNoRows: true };
}

/** What is said of a key that its app has no room for. */
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
