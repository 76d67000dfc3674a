import { instanceDeadMs } from '../../books/instance.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import type { Config } from '../../domain/config.ts';
import { madeAt } from '../../lib/id.ts';
import { summaryOf } from '../../registry/closed-budgets.ts';
import { selectOpenCircuits } from '../../store/queries/circuits.ts';
import { type InstanceRow, selectInstances } from '../../store/queries/instances.ts';
import { selectFailingWebhooks } from '../../store/queries/overview.ts';
import { selectRollupState } from '../../store/sums/rollups.ts';
import { type AdminContext, withOperatorReads } from '../context/context.ts';
import type { LiveState } from '../context/live-state.ts';
import type { Problem } from '../documents/today.ts';
import { checkModels, unpricedForReal } from '../models/models.ts';
import { findClosed, openedBy } from '../restores/restores.ts';

export interface ProblemParts {
  readonly config: Pick<Config, 'platforms' | 'hash'>;
  readonly catalog: Catalog;
  /** Undefined in a command. */
  readonly live: LiveState | undefined;
}

/** Rollups follow their calls by an hour; three hours are a fault. */
const rollupsStaleMs = 3 * 3_600_000;
const namesMax = 5;

export async function findProblems(
  operator: AdminContext,
  parts: ProblemParts,
): Promise<{ readonly problems: readonly Problem[]; readonly replicas: number }> {
  const context = withOperatorReads(operator);
  const { store, clock } = context;
  const now = clock.now();
  const replicas = await store.read(selectInstances(now - instanceDeadMs));
  const problems = [
    ...(await closedProblems(context)),
    ...(await circuitProblems(context, parts.live)),
    ...platformProblems(parts.live),
    ...replicaProblems(replicas),
    ...(await unpricedProblems(context, parts)),
    ...(await store.read(selectFailingWebhooks)).map(
      ({ hook, waiting }): Problem => ({
        kind: 'webhook',
        text: `the webhook ${hook} is failing: ${waiting} events are waiting to be resent`,
        href: '/console/access',
      }),
    ),
    ...(await sumsProblems(context)),
  ];
  return { problems, replicas: replicas.length };
}

async function closedProblems(context: AdminContext): Promise<readonly Problem[]> {
  const { count, names, restoredAt } = summaryOf(await findClosed(context));
  if (count === 0) return [];
  const text = `budgets closed by the restore of the store at ${restoredAt}: ${names}; ${openedBy}`;
  return [{ kind: 'closed', text, href: '/console/apps' }];
}

async function circuitProblems(
  { store, clock }: AdminContext,
  live: LiveState | undefined,
): Promise<readonly Problem[]> {
  const openCircuits = await store.read(selectOpenCircuits(clock.now() - instanceDeadMs));
  const own = (live?.circuits().circuits ?? []).filter(({ state }) => state !== 'closed');
  const names = new Map<string, number | undefined>(
    own.map(({ platform, model }) => [`${model} on ${platform}`, undefined]),
  );
  for (const { platform, model, since } of openCircuits)
    names.set(`${model} on ${platform}`, since);
  return [...names].map(([name, since]) => {
    const when = since === undefined ? '' : ` since ${new Date(since).toISOString()}`;
    const text = `${name}: failing, circuit open${when}`;
    return { kind: 'circuit', text, href: '/console/health' };
  });
}

function platformProblems(live: LiveState | undefined): readonly Problem[] {
  return (live?.platforms() ?? []).flatMap(({ problem }) =>
    problem === null ? [] : [{ kind: 'platform', text: problem, href: '/console/health' }],
  );
}

function replicaProblems(replicas: readonly InstanceRow[]): readonly Problem[] {
  const configs = new Set(replicas.map(({ configHash }) => configHash));
  if (configs.size < 2) return [];
  const text = `the ${replicas.length} replicas have ${configs.size} different configurations`;
  return [{ kind: 'replicas', text, href: '/console/health' }];
}

async function unpricedProblems(
  context: AdminContext,
  { catalog, config }: ProblemParts,
): Promise<readonly Problem[]> {
  const unpriced = unpricedForReal(await checkModels(context, catalog), config.platforms);
  if (unpriced.length === 0) return [];
  const names = unpriced.slice(0, namesMax).map(({ id }) => id);
  const more = unpriced.length > namesMax ? ` and ${unpriced.length - namesMax} more` : '';
  const text = `callable models without a price: ${names.join(', ')}${more}`;
  return [{ kind: 'unpriced', text, href: '/console/models' }];
}

async function sumsProblems({ store, clock }: AdminContext): Promise<readonly Problem[]> {
  const state = await store.read(selectRollupState);
  if (state === undefined || state.rolledUntil === '') return [];
  const until = madeAt(state.rolledUntil);
  if (clock.now() - until <= rollupsStaleMs) return [];
  const text = `the report rollups end at ${new Date(until).toISOString()}; reports take longer`;
  return [{ kind: 'sums', text, href: '/console/health' }];
}
