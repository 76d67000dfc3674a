import { instanceDeadMs } from '../../books/instance.ts';
import { madeAt } from '../../lib/id.ts';
import { selectOpenCircuits } from '../../store/queries/circuits.ts';
import { selectInstances, shortHash } from '../../store/queries/instances.ts';
import { selectOpenHolds } from '../../store/queries/metrics.ts';
import { selectRevision } from '../../store/queries/registry.ts';
import { selectRollupState } from '../../store/sums/rollups.ts';
import { type AdminContext, withOperatorReads } from '../context/context.ts';
import type { LiveState } from '../context/live-state.ts';
import type { Health } from '../documents/health.ts';
import { readKeyless } from './keyless.ts';
import { findProblems, type ProblemParts } from './problems.ts';

export async function readHealth(
  operator: AdminContext,
  parts: ProblemParts & { readonly live: LiveState },
): Promise<Health> {
  const context = withOperatorReads(operator);
  const { live } = parts;
  const { clock } = context;
  const { problems } = await findProblems(context, parts);
  return {
    ...{ at: new Date(clock.now()).toISOString(), version: live.version },
    ...{ instanceId: live.instanceId, problems },
    store: await storeOf(operator),
    replicas: await replicasOf(context, live),
    platforms: platformsOf(live),
    circuits: await circuitsOf(context, live),
    keyless: await readKeyless(context),
    load: live.load(),
  };
}

async function storeOf({ store, clock }: AdminContext): Promise<Health['store']> {
  const startedMs = clock.monotonic();
  await store.read(selectRevision);
  const answerMs = Math.round((clock.monotonic() - startedMs) * 1_000) / 1_000;
  const holds = await store.readForOperator(selectOpenHolds);
  const state = await store.readForOperator(selectRollupState);
  const until = state === undefined || state.rolledUntil === '' ? undefined : state.rolledUntil;
  return {
    ...{ kind: store.kind, answerMs, clockSkewMs: store.clock?.skewMs() ?? 0 },
    openHolds: holds.reduce((sum, { count }) => sum + count, 0),
    rollupsUntil: until === undefined ? null : new Date(madeAt(until)).toISOString(),
  };
}

async function replicasOf({ store, clock }: AdminContext, { instanceId }: LiveState) {
  const instances = await store.read(selectInstances(clock.now() - instanceDeadMs));
  return instances.map(({ id, configHash, seenAt }) => ({
    ...{ id, config: shortHash(configHash), isThis: id === instanceId },
    seenAt: new Date(seenAt).toISOString(),
  }));
}

function platformsOf(live: LiveState): Health['platforms'] {
  const counts = new Map(live.circuits().platforms.map((row) => [row.platform, row]));
  return live.platforms().map(({ name, state, problem }) => {
    const row = counts.get(name);
    return {
      ...{ name, state, problem },
      ...{ retries: row?.retriesTaken ?? 0, retriesDenied: row?.retriesDenied ?? 0 },
      circuitsOpened: row?.circuitsOpened ?? 0,
      attemptsRefused: row?.attemptsRefused ?? 0,
    };
  });
}

async function circuitsOf({ store, clock }: AdminContext, live: LiveState) {
  const open = await store.read(selectOpenCircuits(clock.now() - instanceDeadMs));
  return live.circuits().circuits.map(({ platform, model, state }) => {
    const openCircuit = open.find((each) => each.platform === platform && each.model === model);
    const since = state === 'closed' || openCircuit === undefined ? undefined : openCircuit.since;
    return {
      platform,
      model,
      state,
      since: since === undefined ? null : new Date(since).toISOString(),
    };
  });
}
