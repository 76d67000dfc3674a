import { formatUsd } from '@model-gateway/server/lib/money';
import { setBudget } from '@model-gateway/server/operations/budgets/budgets';
import type { Arena } from '../arena/arena.ts';
import { sharedGroup } from './user-ids.ts';

export interface GroupChange {
  readonly apps: readonly string[];
  readonly dailyPicoUsd: bigint;
  readonly monthlyPicoUsd: bigint;
}

/** By the command, or by the function behind the admin API. */
export async function changeMembers(
  { admin, config, command }: Arena,
  by: 'command' | 'api',
  { apps, dailyPicoUsd, monthlyPicoUsd }: GroupChange,
): Promise<void> {
  if (by === 'api') {
    const settings = { apps, dailyPicoUsd, monthlyPicoUsd, isVisible: true };
    await setBudget(admin, sharedGroup, settings, config.budgets);
    return;
  }
  await command(
    ...['budgets', 'set', sharedGroup, '--apps', apps.join(','), '--visible', 'true'],
    ...['--daily-usd', formatUsd(dailyPicoUsd), '--monthly-usd', formatUsd(monthlyPicoUsd)],
  );
}
