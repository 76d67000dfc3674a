import { Counter, collectDefaultMetrics, Gauge, type Registry } from 'prom-client';
import type { Plans } from '../domain/plan.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { Registry as AppRegistry } from '../registry/registry.ts';
import type { Store } from '../store/port/port.ts';
import { storeClock } from '../store/port/store-clock.ts';
import { shortHash } from '../store/queries/instances.ts';
import { jsonPage, type MakePage, type Page, type Pages } from './admin-listener.ts';
import { addDeprecatedNames } from './deprecated-names.ts';
import { addLiveMetrics, type LiveParts } from './live-metrics.ts';
import { type MetricsOfThread, mergeMetrics, sameOnAll } from './merge-metrics.ts';
import { addMoneyMetrics } from './money-metrics.ts';
import { openMetricsText, openMetricsType, takesOpenMetrics } from './open-metrics.ts';
import { addPlanMetrics } from './plan-metrics.ts';
import type { PlatformWatch } from './platform-watch.ts';
import { createReadiness } from './readiness.ts';
import { createReplicaWatch, type ReplicaWatch } from './replica-watch.ts';
import type { StallWatch } from './stall-watch.ts';
import { createStoreMetrics } from './store-metrics.ts';

export interface Monitor {
  readonly pages: Pages & { readonly '/metrics': MakePage };
  metrics(): Promise<MetricsOfThread>;
  /**
   * Call once in a thread: watching never ends. `linesLost` returns the number of lost log lines.
   */
  watchProcess(linesLost?: () => number): void;
  stop(): Promise<void>;
}

export interface MonitorParts extends LiveParts, ProcessorParts {
  readonly stalls: StallWatch;
  readonly metrics: Registry;
  readonly store: Store;
  /** This process's clock, compared with the store's. */
  readonly clock: Clock;
  readonly log: Log;
  readonly ingress: LiveParts['ingress'] & { isDraining(): boolean };
  readonly registry: Pick<AppRegistry, 'apps'>;
  /** True while the store has this process's recent heartbeats. */
  readonly isAlive: () => boolean;
  readonly platforms: Pick<PlatformWatch, 'reports'>;
  readonly thread: number;
  readonly ownServices: () => readonly string[];
  readonly otherMetrics: () => Promise<readonly MetricsOfThread[]>;
  /** The active configuration's hash: a reload changes it. */
  readonly configHash: string;
  /** The rate limits of keys whose app sets none. */
  readonly plans: () => Plans;
  readonly version: string;
  readonly openApi: () => object;
  /** Apps whose last change in the store came from another file. */
  readonly appsUnlikeFile: () => Promise<readonly string[]>;
}

export function createMonitor(parts: MonitorParts): Monitor {
  const { metrics, store, log, ingress, registry } = parts;
  const clock = storeClock(store, parts.clock);
  const watch = createReplicaWatch({
    ...{ store, clock, log, thread: parts.thread, own: parts.ownServices },
    appsUnlikeFile: parts.appsUnlikeFile,
    get configHash() {
      return parts.configHash;
    },
  });
  addLiveMetrics(metrics, parts);
  addProcessorMetrics(metrics, parts);
  const amounts = createStoreMetrics({ store, clock, log });
  addMoneyMetrics(metrics, {
    amounts,
    apps: registry.apps,
  });
  addPlanMetrics(metrics, { amounts, apps: registry.apps, plans: parts.plans });
  addServiceMetrics(parts, watch);
  addDeprecatedNames(metrics);
  return {
    pages: {
      '/ready': createReadiness({
        ...{ store, clock: parts.clock, log },
        heartbeatIsFresh: parts.isAlive,
        isDraining: ingress.isDraining,
        platforms: parts.platforms.reports,
      }),
      '/metrics': async (_query, accept) => metricsPage(await all(), accept),
      '/openapi.json': () => jsonPage(200, parts.openApi()),
    },
    metrics: own,
    watchProcess(linesLost = none) {
      collectDefaultMetrics({ register: metrics });
      addLogMetrics(metrics, linesLost);
      parts.stalls.start();
    },
    stop: () => watch.stop(),
  };

  function own(): Promise<MetricsOfThread> {
    return metrics.getMetricsAsJSON();
  }

  async function all(): Promise<Registry> {
    const others = await parts.otherMetrics();
    return others.length === 0 ? metrics : mergeMetrics([await own(), ...others]);
  }
}

/** Only for the thread that writes the log. */
function addLogMetrics(metrics: Registry, linesLost: () => number) {
  new Counter({
    name: 'model_gateway_log_lines_lost_total',
    help: 'Number of lost log lines. Causes: a full disk, or a reader that disconnected or is more than 4 MiB behind',
    registers: [metrics],
    collect() {
      this.reset();
      this.inc(linesLost());
    },
  });
}

const none = () => 0;

/** Only readers that accept OpenMetrics get exemplars. */
async function metricsPage(metrics: Registry, accept: string | undefined): Promise<Page> {
  if (takesOpenMetrics(accept)) {
    return { status: 200, contentType: openMetricsType, text: await openMetricsText(metrics) };
  }
  return { status: 200, contentType: metrics.contentType, text: await metrics.metrics() };
}

function addServiceMetrics(parts: MonitorParts, watch: ReplicaWatch) {
  const { metrics, store, version } = parts;
  const registers = [metrics];
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      ...{ name, help, registers, ...sameOnAll },
      collect() {
        this.set(read());
      },
    });
  gauge(
    'model_gateway_replicas',
    'Services on this store. Each thread of another process counts',
    () => watch.state().replicas,
  );
  gauge(
    'model_gateway_config_mismatch',
    'Services on this store with a configuration other than this one',
    () => watch.state().others,
  );
  gauge(
    'model_gateway_apps_config_drift',
    'Apps whose values in the store come from another configuration (PostgreSQL only)',
    () => watch.state().unlikeFile.length,
  );
  gauge(
    'model_gateway_store_clock_skew_seconds',
    'Clock of the store minus clock of this process',
    () => (store.clock?.skewMs() ?? 0) / 1_000,
  );
  new Gauge({
    name: 'model_gateway_info',
    help: 'Always 1. The label config is the start of the hash of the configuration',
    labelNames: ['version', 'config'] as const,
    ...{ registers, ...sameOnAll },
    collect() {
      this.reset();
      this.set({ version, config: shortHash(parts.configHash) }, 1);
    },
  });
}

interface ProcessorParts {
  /** Milliseconds on this thread, by app. */
  readonly spent: () => ReadonlyMap<string, number>;
  readonly stalls: Pick<StallWatch, 'counts'>;
}

function addProcessorMetrics(registry: Registry, { spent, stalls }: ProcessorParts): void {
  const registers = [registry];
  new Counter({
    name: 'model_gateway_app_processor_seconds_total',
    help: 'Event loop time of the requests of an app',
    labelNames: ['app'] as const,
    registers,
    collect() {
      this.reset();
      for (const [app, ms] of spent()) this.inc({ app }, ms / 1_000);
    },
  });
  new Counter({
    name: 'model_gateway_event_loop_stalls_total',
    help: 'Number of event loop stalls of 200 ms or more, by stage: body, request, response, answer or other. The log line has route, key id and app',
    labelNames: ['stage'] as const,
    registers,
    collect() {
      this.reset();
      for (const [stage, { count }] of stalls.counts()) this.inc({ stage }, count);
    },
  });
  new Counter({
    name: 'model_gateway_event_loop_stall_seconds_total',
    help: 'Total time of the event loop stalls, by stage',
    labelNames: ['stage'] as const,
    registers,
    collect() {
      this.reset();
      for (const [stage, { ms }] of stalls.counts()) this.inc({ stage }, ms / 1_000);
    },
  });
}
