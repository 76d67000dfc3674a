import { formatUsd } from '@model-gateway/server/lib/money';
import { correctCall } from '@model-gateway/server/operations/calls/corrections';
import type { Arena } from '../arena.ts';
import type { Watch } from './watch.ts';

/** What an operator has corrected. */
export interface Corrections {
  /** What calls were corrected to, by their ids. */
  readonly made: ReadonlyMap<string, bigint>;
  /** By how much calls of an app were corrected upwards. */
  raised(app: string): bigint;
  /** Corrects the oldest call of an app that is as it was booked: older than the last change. */
  correctOne(app: string, byPicoUsd: bigint): Promise<void>;
}

/** Corrects calls of before, and compares the budgets after each. */
export function createCorrections(arena: Arena, watch: Watch): Corrections {
  const made = new Map<string, bigint>();
  const raised = new Map<string, bigint>();
  return {
    made,
    raised: (app) => raised.get(app) ?? 0n,
    async correctOne(app, byPicoUsd) {
      const call = (await watch.read()).calls
        .filter(({ callId, code }) => code === 'OK' && !made.has(callId))
        .toSorted((one, other) => (one.callId < other.callId ? -1 : 1))
        .find((each) => each.app === app);
      if (call === undefined) return;
      const { callId } = call;
      const picoUsd = call.picoUsd + byPicoUsd;
      await correctCall(arena.admin, { callId, usd: formatUsd(picoUsd) });
      made.set(callId, picoUsd);
      if (byPicoUsd > 0n) raised.set(app, (raised.get(app) ?? 0n) + byPicoUsd);
      await watch.check(`after a call of ${app} was corrected`);
    },
  };
}
