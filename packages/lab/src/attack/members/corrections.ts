import { formatUsd } from '@model-gateway/server/lib/money';
import { correctCall } from '@model-gateway/server/operations/calls/corrections';
import type { Arena } from '../arena.ts';
import type { Watch } from './watch.ts';

export interface Corrections {
  /** By the ids of calls. */
  readonly made: ReadonlyMap<string, bigint>;
  raised(app: string): bigint;
  /** The oldest uncorrected call, older than the last change of members. */
  correctOne(app: string, byPicoUsd: bigint): Promise<void>;
}

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
