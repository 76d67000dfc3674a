import { type KeyRejectionReason, keyRejectionReasons } from '../../domain/key-rejection.ts';
import { selectRefusals } from '../../store/queries/refusals.ts';
import type { AdminContext } from '../context/context.ts';
import type { Health } from '../documents/health.ts';

type Keyless = Health['keyless'][number];

const hourMs = 3_600_000;
const hoursShown = 24;

/** Covers all apps, and keys without an app. */
export async function readKeyless({
  store,
  clock,
}: Pick<AdminContext, 'store' | 'clock'>): Promise<readonly Keyless[]> {
  const since = (Math.floor(clock.now() / hourMs) - hoursShown + 1) * hourMs;
  const byHour = new Map<string, Keyless>();
  for (const row of await store.readForOperator(selectRefusals(since, undefined))) {
    const reason = reasonOf(row.code);
    if (reason === undefined) continue;
    const at = new Date(row.hour).toISOString();
    const lastAt = new Date(row.lastAt).toISOString();
    const path = row.lastMessage ?? null;
    const before = byHour.get(`${at} ${reason}`);
    const last = before !== undefined && before.lastAt > lastAt ? before : { path, lastAt };
    const count = row.refused + (before?.count ?? 0);
    byHour.set(`${at} ${reason}`, { at, reason, path: last.path, count, lastAt: last.lastAt });
  }
  return [...byHour.values()];
}

/** Codes with another suffix come from requests with a key. */
function reasonOf(code: string): KeyRejectionReason | undefined {
  const suffix = code.slice(code.indexOf(':') + 1);
  return keyRejectionReasons.find((reason) => reason === suffix);
}
