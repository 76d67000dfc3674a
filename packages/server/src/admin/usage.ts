import type { UsageAnswer } from '@model-gateway/contract';
import { usageReport } from '../ledger/usage-report.ts';
import { utcDayOf } from '../lib/clock.ts';
import { type AppRow, selectApps } from '../registry/queries.ts';
import { appRow } from './apps.ts';
import type { Office } from './office.ts';

/**
 * One app's usage of a UTC day, of `today` or of `yesterday`; today where none is named. It is the
 * document of `GET /v1/usage`. A past day without a call has no budget in it.
 */
export async function usageOfApp(
  office: Office,
  name: string,
  day: string | undefined,
): Promise<UsageAnswer> {
  return reportOf(office, await appRow(office, name), day);
}

/** Every app's usage of a UTC day. */
export async function usageOfAll(
  office: Office,
  day: string | undefined,
): Promise<readonly UsageAnswer[]> {
  const rows = await office.store.read(selectApps(office.company));
  return Promise.all(rows.map((row) => reportOf(office, row, day)));
}

function reportOf({ store, clock }: Office, row: AppRow, day: string | undefined) {
  const nowMs = clock.now();
  const today = utcDayOf(nowMs);
  const words: Readonly<Record<string, string>> = {
    today,
    yesterday: utcDayOf(nowMs - dayMs),
  };
  return usageReport(store, row, { day: words[day ?? 'today'] ?? day ?? today, today });
}

const dayMs = 86_400_000;
