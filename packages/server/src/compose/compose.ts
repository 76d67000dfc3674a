import { dirname } from 'node:path';
import type { Simulator } from '@model-gateway/simulator';
import { bindSimulatorProjects } from '../admin/bindings.ts';
import { type AdminContext, createAdminContext } from '../admin/context.ts';
import { keepPrices } from '../admin/prices.ts';
import { appsUnlikeFile } from '../admin/unlike-file.ts';
import { reportUnpriced } from '../admin/unpriced-report.ts';
import { createCollector } from '../calls/idempotency/replay.ts';
import { createInfer, type Infer } from '../calls/run.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { createCatalog } from '../catalog/create-catalog.ts';
import { shippedModels } from '../catalog/shipped.ts';
import type { Config } from '../domain/config.ts';
import { createEntrance } from '../ingress/access.ts';
import { createApi } from '../ingress/dialects/gateway/api.ts';
import { createSizeOf } from '../ingress/dialects/gateway/body/size.ts';
import { createAgentsRoute } from '../ingress/dialects/gateway/routes/agents.ts';
import { createChatRoute } from '../ingress/dialects/gateway/routes/chat.ts';
import { createCreditsRoute } from '../ingress/dialects/gateway/routes/credits.ts';
import { createModelsRoute } from '../ingress/dialects/gateway/routes/models.ts';
import { createObjectsRoute } from '../ingress/dialects/gateway/routes/objects.ts';
import { createUsageRoute } from '../ingress/dialects/gateway/routes/usage.ts';
import {
  type ConnectionLimits,
  createConnectionLimits,
} from '../ingress/http/connection-limits.ts';
import { createEdge, type Edge } from '../ingress/ingress.ts';
import { createBodies } from '../ingress/limits/bodies.ts';
import { createGate, type Gate } from '../ingress/limits/concurrency.ts';
import { openPlans } from '../ingress/limits/rate/open-plans.ts';
import { openApiDocument } from '../ingress/openapi/document.ts';
import type { CpuMsOf } from '../json-schema/cpu-limit.ts';
import { createSchemas } from '../json-schema/schemas.ts';
import { createLedger, type Ledger } from '../ledger/ledger.ts';
import { createLedgerQueue } from '../ledger/queue.ts';
import { startSweeper } from '../ledger/sweeper.ts';
import { createUsageNames } from '../ledger/usage-names.ts';
import type { Clock } from '../lib/clock.ts';
import { within } from '../lib/deadline.ts';
import type { Ids } from '../lib/id.ts';
import type { Log } from '../lib/log.ts';
import { createMonitor, type Monitor } from '../observe/monitor.ts';
import { startObserving } from '../observe/observing.ts';
import type { PlatformWatch } from '../observe/platform-watch.ts';
import { createAttempt } from '../platforms/attempt.ts';
import { createPlatforms } from '../platforms/create-platforms.ts';
import { createGuard, type Guard } from '../platforms/guard.ts';
import type { Platform } from '../platforms/port.ts';
import { createUnsolicited } from '../platforms/unsolicited.ts';
import { openRegistry, type Registry } from '../registry/registry.ts';
import type { Store } from '../store/port.ts';
import { keyClock as openKeyClock, storeClock } from '../store/store-clock.ts';
import { finishCalls } from './finish-calls.ts';

/** The whole service, but for sockets and the process around it. */
export interface Service {
  readonly edge: Edge;
  readonly infer: Infer;
  readonly ledger: Ledger;
  readonly registry: Registry;
  /** Its snapshot is for metrics. */
  readonly guard: Guard;
  readonly monitor: Monitor;
  /** What is in flight now. */
  readonly gate: Gate;
  /** For the listeners in front. */
  readonly connections: ConnectionLimits;
  /** What is known of the platforms. */
  readonly watch: PlatformWatch;
  /**
   * Ends in order: running calls finish, drains are settled, what still runs after `stopMs` is
   * booked as estimated. The store stays open. Answers how many calls it could not be told of.
   */
  stop(): Promise<Stopped>;
}

/** How a service has stopped. */
export interface Stopped {
  /** Calls whose holds are left to the expiry, because the store was away to the end. */
  readonly unsettledCalls: number;
}

/** What a service is made of; a test passes its own clock and store. */
export interface ServiceParts {
  readonly config: Config;
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly version: string;
  /** How long a thread that checks schemas has worked; a test may say so in the system's place. */
  readonly cpuMsOf?: CpuMsOf | undefined;
  /** The simulator of this process, for simulator platforms without a `baseUrl`. */
  readonly simulator: Simulator | undefined;
}

/** A configuration that cannot be served: one line a problem. */
export class CompositionError extends Error {
  override readonly name = 'CompositionError';
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

const batchMax = 256;

/** A store that answers nothing any more is not waited for at the end. */
const upkeepEndMs = 1_000;

/** A call and its drain, with time to spare for a slow settlement. */
function longestCallMs({ modelCallMs, drainMs }: Config['limits']): number {
  return modelCallMs + drainMs + 60_000;
}

/** The one composition root. The store's apps must be what the configuration says by now. */
export async function composeService(parts: ServiceParts): Promise<Service> {
  const { config, store, ids, log, simulator, version } = parts;
  const clock = storeClock(store, parts.clock);
  const keyClock = openKeyClock(store, parts.clock);
  const { company, adminEmail, hash: configHash } = config;
  const owner = ids.next('owner');
  const catalog = createCatalog({ ...config, shipped: shippedModels(), clock });
  const { platforms, unsolicited } = openPlatforms(config, { simulator, clock, log });
  const admin = createAdminContext({ ...parts, company, adminEmail, actor: owner });
  await prepare(admin, { config, catalog, platforms, log });

  const observing = startObserving({ config, catalog, platforms, clock, log });
  const { observer, metrics, watch } = observing;
  const queue = createLedgerQueue({ store, clock, batchMax, observer });
  const ledger = createLedger({ queue, clock, log });
  const sweeper = await startSweeper({
    ...{ store, ledger, clock, log, owner, configHash, isSoleOwner: store.kind === 'sqlite' },
    ...{ keyClock, keysLiveMs: config.limits.idempotencyMs + longestCallMs(config.limits) },
  });
  const registry = await openRegistry({
    ...{ store, clock, log, company },
    beforeChange: () => bindSimulatorProjects(admin, simulatorsOf(platforms), log),
  });
  const { limits, plans, retry, unpriced } = config;
  const usageNames = createUsageNames({ store });
  const attempt = attemptOf(config, clock);
  const guard = createGuard({ clock, log });
  const schemas = createSchemas({ log, clock, cpuMsOf: parts.cpuMsOf });
  const collector = createCollector({ store, clock, log });
  const infer = createInfer({
    ...{ collector, ledger, catalog, platforms, attempt, guard, retry, limits, clock, ids, log },
    ...{ keyClock, owner, unpriced, usageNames, observer },
  });
  const sizeOf = createSizeOf();
  const routes = {
    chat: createChatRoute({ infer, sizeOf }),
    objects: createObjectsRoute({ infer, schemas, sizeOf, catalog }),
    agents: createAgentsRoute({ infer, schemas, sizeOf }),
    usage: createUsageRoute({ store, clock }),
    models: createModelsRoute({ catalog, unpriced, isMissing: watch.isMissing }),
    credits: createCreditsRoute({ store, clock }),
  };
  const api = createApi({ registry, routes });
  const limiter = await openPlans({ store, clock, log });
  const gate = createGate({ limits, clock, drains: infer.drains, registry });
  const bodies = createBodies({ clock, bytesMax: limits.bodyBytes });
  const entrance = createEntrance({ registry, gate, bodies, limiter, plans, limits });
  const edge = createEdge({
    ...{ api, entrance, bodies, limits, clock, ids, version, observer },
  });
  const connections = createConnectionLimits({ clock, log });
  const monitor = createMonitor({
    ...{ metrics, store, log, edge, ledger, queue, guard, registry, owner, configHash, version },
    ...{ sweeper, platforms: watch, clock: parts.clock, drains: infer.drains, gate, unsolicited },
    ...{ droppedConnections: connections.dropped, openApi: () => openApiDocument(version) },
    appsUnlikeFile: () => appsUnlikeFile(admin, config.apps),
  });
  return { edge, infer, ledger, registry, guard, monitor, gate, watch, connections, stop };

  async function stop(): Promise<Stopped> {
    const { drains } = infer;
    const { stopMs } = limits;
    const unsettledCalls = await finishCalls({ edge, drains, ledger, clock, stopMs });
    const running = [observing, limiter, monitor, collector, registry, sweeper];
    const upkeep = Promise.all(running.map((part) => part.stop()));
    await within(clock, upkeepEndMs, upkeep);
    schemas.close();
    await Promise.all([...platforms.values()].map((platform) => platform.close()));
    return { unsettledCalls };
  }
}

function attemptOf({ logPlatformErrors }: Config, clock: Clock) {
  const sentences = logPlatformErrors ? 'logged' : 'unsaid';
  return createAttempt({ clock, sentences });
}

function openPlatforms(
  config: Config,
  parts: {
    readonly simulator: Simulator | undefined;
    readonly clock: Clock;
    readonly log: Log;
  },
) {
  const { simulator, clock, log } = parts;
  const unsolicited = createUnsolicited({ platforms: config.platforms, clock, log });
  const made = createPlatforms({
    ...{ configs: config.platforms, clock, logPlatformErrors: config.logPlatformErrors },
    ...{ onUnsolicited: unsolicited.heard },
    folders: [dirname(config.file), process.cwd()],
    ...(simulator === undefined ? {} : { simulatorFetch: simulator.fetch }),
  });
  if ('problems' in made) throw new CompositionError(made.problems);
  return { platforms: made.platforms, unsolicited };
}

/** What must have happened before the first call, and what is worth saying before it. */
async function prepare(
  admin: AdminContext,
  parts: {
    readonly config: Config;
    readonly catalog: Catalog;
    readonly platforms: ReadonlyMap<string, Platform>;
    readonly log: Log;
  },
): Promise<void> {
  const { catalog, platforms, log } = parts;
  await keepPrices(admin.store, catalog.prices());
  await reportUnpriced({ context: admin, ...parts });
  await provePlatforms(platforms, catalog, log);
}

/** Each looks for its proof in bounded time, and refuses calls for as long as it has none. */
async function provePlatforms(
  platforms: ReadonlyMap<string, Platform>,
  catalog: Catalog,
  log: Log,
): Promise<void> {
  const rows = Map.groupBy(catalog.list(), ({ platform }) => platform);
  const proofs = [...platforms.values()].map(({ name, prove }) =>
    prove?.(rows.get(name) ?? [], log),
  );
  await Promise.all(proofs);
}

function simulatorsOf(platforms: ReadonlyMap<string, Platform>): readonly Platform[] {
  return [...platforms.values()].filter(({ kind }) => kind === 'simulator');
}
