import type { UsageAnswer } from '@model-gateway/contract';
import { usageReport } from '../ledger/usage-report.ts';
import { utcDayOf } from '../lib/clock.ts';
import { type AppRow, selectApps } from '../store/queries/registry.ts';
import { appRow } from './apps.ts';
import type { AdminContext } from './context.ts';

/**
 * One app's usage of a UTC day, of `today` or of `yesterday`; today where none is named. It is the
 * document of `GET /v1/usage`. A past day without a call has no budget in it.
 */
export async function usageOfApp(
  context: AdminContext,
  name: string,
  day: string | undefined,
): Promise<UsageAnswer> {
  return reportOf(context, await appRow(context, name), day);
}

/** Every app's usage of a UTC day. */
export async function usageOfAll(
  context: AdminContext,
  day: string | undefined,
): Promise<readonly UsageAnswer[]> {
  const rows = await context.store.read(selectApps(context.company));
  return Promise.all(rows.map((row) => reportOf(context, row, day)));
}

function reportOf({ store, clock }: AdminContext, row: AppRow, day: string | undefined) {
  const nowMs = clock.now();
  const today = utcDayOf(nowMs);
  const words: Readonly<Record<string, string>> = {
    today,
    yesterday: utcDayOf(nowMs - dayMs),
  };
  return usageReport(store, row, { day: words[day ?? 'today'] ?? day ?? today, today });
}

const dayMs = 86_400_000;
