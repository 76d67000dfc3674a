import type { Console } from '../admin-api/console.ts';
import type { CallRunner } from '../calls/run.ts';
import { createRuns } from '../calls/runs/runs.ts';
import type { Config } from '../domain/config.ts';
import type { ConnectionLimits } from '../ingress/http/connection-limits.ts';
import type { Ingress } from '../ingress/ingress.ts';
import type { ConcurrencyLimiter } from '../ingress/limits/concurrency.ts';
import { openApiDocument } from '../ingress/openapi/document.ts';
import type { CpuMsOf } from '../json-schema/cpu-limit.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { LedgerQueue } from '../ledger/queue.ts';
import { ownProcessor, type Processor } from '../lib/processor.ts';
import { startAuditHead } from '../observe/audit-head.ts';
import { createMonitor, type Monitor, type MonitorParts } from '../observe/monitor.ts';
import { startObserving } from '../observe/observing.ts';
import type { PlatformWatch } from '../observe/platform-watch.ts';
import { createStallWatch } from '../observe/stall-watch.ts';
import { addTraceMetrics } from '../observe/trace-metrics.ts';
import type { MissingAppsPolicy } from '../operations/apps/file-plan.ts';
import { findAppsUnlikeFile } from '../operations/config/begin-serving.ts';
import { fileActor } from '../operations/config/declared-apps.ts';
import { type AdminContext, createReportQueue } from '../operations/context/context.ts';
import type { LiveState } from '../operations/context/live-state.ts';
import { putPricesInForce } from '../operations/models/price-book.ts';
import { reportUnpriced } from '../operations/models/unpriced-report.ts';
import { bindSimulatorProjects } from '../operations/projects/bindings.ts';
import { webhookProblems } from '../operations/webhooks/webhooks.ts';
import type { EmbeddedSimulator } from '../platforms/kinds/simulator.ts';
import type { CircuitBreakers } from '../platforms/outage/circuit-breakers.ts';
import { openRegistry, type Registry } from '../registry/registry.ts';
import type { ExporterWaits } from '../tracing/exporter.ts';
import { openAccounts } from './accounts.ts';
import { createCalls } from './calls.ts';
import { CompositionError } from './composition-error.ts';
import { createServiceConsole } from './console.ts';
import { startDailyAudit } from './daily-audit.ts';
import { startErasures } from './erasures.ts';
import { openFront } from './front.ts';
import { createInstance, type Instance, type InstanceParts } from './instance.ts';
import { liveStateOf } from './live-state.ts';
import { logPrices, logTiers, logUnbound } from './log-models.ts';
import { createModels, type Models, simulatorsOf, verifyBilling } from './models.ts';
import { startNotifying } from './notify.ts';
import { offeredBy } from './offered.ts';
import { servicesOf } from './parts/other-threads.ts';
import type { ReadyStore } from './ready-store.ts';
import { reloadConfig } from './reload.ts';
import { startRetention } from './retention.ts';
import { type RunningParts, type Stopped, stopService } from './stop.ts';
import { tracingOf } from './tracing.ts';
import { createWatchers } from './watchers.ts';

export interface Service {
  readonly ingress: Ingress;
  readonly runner: CallRunner;
  readonly ledger: Ledger;
  readonly queue: LedgerQueue;
  readonly registry: Registry;
  readonly outageProtection: CircuitBreakers;
  readonly monitor: Monitor;
  readonly console: Console | undefined;
  readonly concurrency: ConcurrencyLimiter;
  readonly connections: ConnectionLimits;
  readonly watch: PlatformWatch;
  readonly live: LiveState;
  reload(next: Config, missing: MissingAppsPolicy): Promise<void>;
  /** Applies a configuration that another thread has already put into the store. */
  follow(next: Config): Promise<void>;
  /** Checks the last heartbeats of all threads of the process. */
  isAlive(): boolean;
  /**
   * Running calls finish, then detached calls settle. Calls that still run after `stopMs` are
   * booked as estimated. The store stays open. Returns how many calls remain unsettled.
   */
  stop(): Promise<Stopped>;
}

export interface ServiceParts extends InstanceParts {
  readonly ready: ReadyStore;
  readonly cpuMsOf?: CpuMsOf | undefined;
  readonly processor?: Processor | undefined;
  readonly exporterWaits?: ExporterWaits | undefined;
  readonly hasConsole?: boolean | undefined;
  /** For platforms of kind simulator: its models, and its responses without a `baseUrl`. */
  readonly simulator?: EmbeddedSimulator | undefined;
}

/** Throws a CompositionError for a configuration that cannot be served. */
export async function composeService(parts: ServiceParts): Promise<Service> {
  const instance = createInstance(parts);
  const { config, store, clock, ids, log, instanceId, thread } = instance;
  // Platforms verify their billing before the registry exists.
  const started: { registry?: Registry } = {};
  const enabledApps = () => started.registry?.enabledApps() ?? 0;
  const models = createModels(instance, parts.simulator, enabledApps);
  if (thread === 1) await beginProcess(instance, models);
  await verifyBilling(models, instance);

  const watchers = createWatchers(instance, parts.hasConsole);
  const { keyUse, alertSources, observers, startWriting } = watchers;
  const { platforms } = models;
  const facts = { config, platforms, clock, log, instanceId };
  const observing = startObserving({ ...facts, observers, platformEvents: instance.processEvents });
  const accounts = await openAccounts(instance, observing.observer, keyUse);
  const { company, adminEmail } = config;
  const identity = { company, adminEmail, actor: instanceId };
  const { queue } = accounts;
  const admin = { store, clock, queue, ids, reportQueue: createReportQueue(), ...identity };
  const registry = await openRegistry({
    store,
    clock,
    log,
    company,
    beforeChange: (apps) => bindSimulatorProjects(admin, simulatorsOf(models), log, apps),
  });
  started.registry = registry;
  if (thread === 1) logUnbound(log, { config, catalog: models.catalog, registry });
  const calls = createCalls(instance, models, accounts, registry, observing.observer);
  const runs = createRuns(instance);
  const tracing = await tracingOf(instance, parts.exporterWaits);
  addTraceMetrics(observing.metrics, tracing.counts);
  const { cpuMsOf, processor = ownProcessor() } = parts;
  const stalls = createStallWatch({ processor, log });
  const front = await openFront(instance, {
    ...{ registry, runs, models, calls, observing, tracing, cpuMsOf, processor, stalls },
  });
  const { outageProtection } = calls;
  const notifier = startNotifying(instance, { alertSources, outageProtection, observing });
  const maintenance = [
    ...(thread === 1 ? startMaintenance(instance, admin, models) : []),
    ...startWriting(registry),
  ];
  const inside = {
    ...{ accounts, models, observing, registry, calls, front, tracing, notifier, maintenance },
  };
  const isAlive = () =>
    accounts.sweeper.heartbeatIsFresh() &&
    instance.otherThreads.states().every((state) => state.isAlive);
  const monitor = monitorOf(instance, inside, {
    isAlive,
    appsUnlikeFile: () => findAppsUnlikeFile(admin, instance.live.config.apps),
    stalls,
  });
  const service = serviceOf(instance, { ...inside, monitor });
  const console = await createServiceConsole(instance, { admin, models, live: service.live });
  return {
    ...{ ...service, isAlive, console },
    reload(next, missing) {
      return reloadConfig(instance, { admin, registry, models }, next, missing);
    },
    follow(next) {
      models.prepare(next).putInForce();
      instance.live.replace(next);
      return registry.refresh();
    },
  };
}

function startMaintenance(instance: Instance, admin: AdminContext, { catalog }: Models) {
  const { config, log } = instance;
  const { audit, notify: webhooks, usage = {} } = config;
  return [
    startAuditHead(instance),
    startRetention(admin, usage, log),
    startErasures(admin, log),
    startDailyAudit(admin, { audit, webhooks, catalog, log }),
  ];
}

function monitorOf(
  { config, live, store, processClock, log, instanceId, thread, version, otherThreads }: Instance,
  { accounts, models, observing, registry, calls, front }: Omit<RunningParts, 'monitor'>,
  watched: Pick<MonitorParts, 'isAlive' | 'appsUnlikeFile' | 'stalls'>,
): Monitor {
  return createMonitor({
    ...watched,
    metrics: observing.metrics,
    otherMetrics: otherThreads.metrics,
    openApi: () => openApiDocument(version, offeredBy(config, registry, models)),
    store,
    clock: processClock,
    log,
    thread,
    ownServices: () => servicesOf({ instanceId, otherThreads }),
    get configHash() {
      return live.config.hash;
    },
    plans: () => live.config.plans,
    version,
    ledger: accounts.ledger,
    queue: accounts.queue,
    registry,
    platforms: observing.watch,
    detachedCalls: calls.runner.detached,
    outageProtection: calls.outageProtection,
    unsolicited: models.unsolicited,
    ingress: front.ingress,
    concurrency: front.concurrency,
    streams: front.streams,
    spent: front.spent,
    connections: front.connections,
  });
}

function serviceOf(
  instance: Instance,
  running: RunningParts,
): Omit<Service, 'console' | 'reload' | 'follow' | 'isAlive'> {
  const { accounts, observing, registry, calls, front, monitor } = running;
  return {
    ingress: front.ingress,
    runner: calls.runner,
    ledger: accounts.ledger,
    queue: accounts.queue,
    registry,
    outageProtection: calls.outageProtection,
    monitor,
    concurrency: front.concurrency,
    watch: observing.watch,
    live: liveStateOf(instance, running),
    connections: front.connections,
    stop: () => stopService(instance, running),
  };
}

/** Only the first thread of a process runs it. Throws a CompositionError. */
async function beginProcess({ config, store, clock, ids, log }: Instance, { catalog }: Models) {
  const { company } = config;
  const problems = await webhookProblems({ store, company }, config.notify);
  if (problems.length > 0) throw new CompositionError(problems);
  const actor = fileActor(config);
  logPrices(log, await putPricesInForce({ store, clock, ids, actor }, catalog));
  logTiers(log, catalog);
  await reportUnpriced({ context: { store, clock, company }, config, catalog, log });
}
